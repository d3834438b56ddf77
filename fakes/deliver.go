package fakes

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"strconv"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
)

// deliver sends the reply: as it is, or by the first sender among its faults. After a whole reply the connection is idle, and the faults of
// that phase come.
func (x *exchange) deliver() {
	if x.ended {
		x.agenda.skipThrough(faults.Idle, "the connection was severed before")
		return
	}
	x.reply.ToHead = x.r.Method == http.MethodHead
	for _, phase := range []faults.Phase{faults.ReplyHead, faults.ReplyBody} {
		if phase == faults.ReplyBody && !x.reply.HasBody() {
			x.agenda.skipThrough(phase, "such a reply never has a body")
			continue
		}
		if x.strike(phase) == faults.Over {
			return
		}
		if f, sender, ok := fire[faults.Sender](&x.agenda, phase); ok {
			if !spares(sender) {
				x.agenda.skipThrough(faults.Idle, f.String()+" came first, and closed the connection")
			}
			if x.send(phase, sender); x.spared {
				x.idle()
			}
			return
		}
	}
	if x.taken {
		x.send(faults.ReplyHead, plainly{})
	} else {
		x.write()
	}
	if !x.answered {
		x.agenda.skipThrough(faults.Idle, "the reply could not be sent: the client was gone")
		return
	}
	x.idle()
}

// idle lets the faults act that come after a whole reply.
func (x *exchange) idle() {
	if x.ended || x.strike(faults.Idle) == faults.Over {
		return
	}
	if _, sender, ok := fire[faults.Sender](&x.agenda, faults.Idle); ok {
		x.send(faults.Idle, sender)
	}
}

// plainly sends the reply as it is where the connection was taken from net/http before.
type plainly struct{}

var _ faults.Sparer = plainly{}

func (plainly) Spares() bool { return true }

func (plainly) Send(_ faults.Phase, x faults.Exchange, w faults.Raw) (whole bool, err error) {
	_, err = w.Write(x.Reply().Kept(x.Now()))
	return err == nil, err
}

// write sends the reply through net/http, so that the connection can be kept. To a client that has gone before, no reply
// goes out whole. If the request's body is still on its way, the connection is closed in order after the reply (RFC 9112, 9.6).
func (x *exchange) write() {
	connection := http.NewResponseController(x.w)
	maps.Copy(x.w.Header(), x.reply.Header)
	// The last chunk is sent after the handler's return; faults that act before would cut it off.
	if x.reply.Chunked = x.reply.Chunked && !x.agenda.has(faults.Idle); !x.reply.Chunked && (x.reply.HasBody() || x.reply.ToHead) {
		x.w.Header().Set("Content-Length", strconv.Itoa(len(x.reply.Body)))
	}
	var err error
	if !x.bodyRead {
		x.w.Header().Set("Connection", "close")
		err = connection.EnableFullDuplex() // net/http would wait for the body before it sends a byte
	}
	gone := x.clientGone()
	x.begun(x.reply.Status)
	x.wire.Replying()
	x.w.WriteHeader(x.reply.Status)
	if err == nil && x.reply.HasBody() {
		_, err = x.w.Write(x.reply.Body)
	}
	if err = errors.Join(err, connection.Flush()); err != nil || gone {
		x.cut()
		return
	}
	if !x.reply.Chunked {
		x.wire.Replied() // what is sent later on the idle connection is no part of it
	}
	x.answer()
	if !x.bodyRead {
		x.Close()
	}
}

// begun writes down which reply is about to be sent.
func (x *exchange) begun(status int) {
	content := contentOf(&x.reply)
	x.fake.journal.Update(x.number, func(a *journal.Attempt) {
		a.Status, a.Replayed = status, x.reply.Header.Get(ReplayedHeader) != ""
		a.ReplySHA256 = content
	})
}

// contentOf is the digest of a reply's content: of all of it, where the reply is a part. Only of what a client may hand on as a success
// that it was given; empty otherwise.
func contentOf(r *faults.Reply) string {
	if r.Status/100 != 2 || !r.HasBody() {
		return ""
	}
	sum := sha256.Sum256(r.Content())
	return hex.EncodeToString(sum[:])
}
