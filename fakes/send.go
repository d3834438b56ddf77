package fakes

import (
	"strconv"
	"strings"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// send lets a fault send the reply on the bare connection, which is closed afterwards, unless the fault spares it.
func (x *exchange) send(phase faults.Phase, s faults.Sender) {
	x.take()
	if !spares(s) {
		x.conn.Watch() // which reads whatever comes: of one that is spared, that would be the next request
	}
	x.wire.Replying()
	out, gone := &raw{exchange: x}, x.clientGone()
	switch whole, err := s.Send(phase, x, out); {
	case err != nil || gone: // the client left, and it is only known now
		x.cut()
	case whole:
		x.answer()
		if x.spared = spares(s); x.spared {
			x.wire.Replied()
			return
		}
	case out.last.Happened(): // what shows the client that this is the end may be the last write itself
		x.cutAt(out.last)
	}
	x.Close()
}

func spares(s faults.Sender) bool {
	sparer, ok := s.(faults.Sparer)
	return ok && sparer.Spares()
}

// raw is the client's connection in the hands of a sender.
type raw struct {
	exchange *exchange
	line     []byte       // the beginning of what was written, up to the length of a status line's fixed part
	last     clock.Moment // just before the last write
}

var _ faults.Raw = (*raw)(nil)

// statusLine is what the fixed part of a status line is like (RFC 9112, 4).
const statusLine = "HTTP/1.1 200"

func (r *raw) Write(p []byte) (int, error) {
	x := r.exchange
	// What is sent after a whole reply is no reply of this attempt.
	if missing := len(statusLine) - len(r.line); missing > 0 && !x.answered {
		r.line = append(r.line, p[:min(missing, len(p))]...)
		if status, ok := statusIn(string(r.line)); ok {
			x.begun(status)
		}
	}
	r.last = x.fake.config.Clock.Now()
	return x.conn.Write(p)
}

// statusIn gives the status of a reply that begins with text; garbage has none.
func statusIn(text string) (status int, ok bool) {
	digits, ok := strings.CutPrefix(text, statusLine[:len("HTTP/1.1 ")])
	if !ok || len(text) < len(statusLine) {
		return 0, false
	}
	status, err := strconv.Atoi(digits)
	return status, err == nil
}
