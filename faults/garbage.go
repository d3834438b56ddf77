package faults

import (
	"bufio"
	"net/http"
	"strings"
)

// Garbage answers with bytes that are no HTTP, as a port does that speaks another protocol, then ends with FIN. The effect was applied.
type Garbage struct {
	Text string // any bytes but an HTTP reply; empty = alert
}

// alert is what a TLS server tells a client that did not begin a handshake: the most likely garbage of all (RFC 8446, 6:
// a fatal alert, unexpected_message).
const alert = "\x15\x03\x01\x00\x02\x02\x0a"

var _ Sender = (*Garbage)(nil)

func (*Garbage) Kind() Kind {
	return Kind{
		Name: "garbage", Main: "text",
		Phases: []Phase{ReplyHead},
		Wire:   "bytes that are no HTTP, then FIN",
	}
}

func (g *Garbage) Fields() []Field {
	return []Field{{Name: "text", Wants: "anything that does not begin as a whole HTTP reply; a TLS alert by default", Value: textOf(&g.Text)}}
}

// Check refuses text that a client may rightly take for a reply. Empty lines before it would not make it garbage to all.
func (g *Garbage) Check() error {
	text := bufio.NewReader(strings.NewReader(strings.TrimLeft(g.Text, "\r\n")))
	if r, err := http.ReadResponse(text, nil); err == nil {
		r.Body.Close()
		return unfit(g, "text")
	}
	return nil
}

func (g *Garbage) String() string { return spell(g) }

func (g *Garbage) Send(_ Phase, _ Exchange, w Raw) (whole bool, err error) {
	text := g.Text
	if text == "" {
		text = alert
	}
	_, err = w.Write([]byte(text))
	return false, err
}
