package faults

import (
	"slices"
	"time"
)

// LastChunk frames the reply by one chunk and plays with what ends it, the five bytes "0\r\n\r\n" (RFC 9112, 7.1): some of them come with
// the chunk, and the rest after a pause, in a segment of their own, or never.
type LastChunk struct {
	Bytes *int          // how many of the five come at once; nil = none
	Pause time.Duration // before the rest, and then the connection is kept; 0 = FIN in place of the rest
}

// lastChunk ends a chunked body that has no trailer.
const lastChunk = "0\r\n\r\n"

var (
	_ Sender = (*LastChunk)(nil)
	_ Sparer = (*LastChunk)(nil)
)

func (*LastChunk) Kind() Kind {
	return Kind{
		Name: "last-chunk", Main: "bytes",
		Phases: []Phase{ReplyBody},
		Wire:   "a reply in chunks that ends in some bytes of its last chunk and FIN, or whose last chunk comes in two segments",
	}
}

func (l *LastChunk) Fields() []Field {
	return []Field{
		{Name: "bytes", Wants: "0 to 4, of the five bytes that end a chunked body; 0 by default", Value: countOf(&l.Bytes)},
		{Name: "pause", Wants: "a duration above zero before the rest, such as 50ms; FIN in place of the rest by default", Value: aboveZero{durationOf(&l.Pause)}},
	}
}

func (l *LastChunk) Check() error {
	switch {
	case l.Bytes != nil && (*l.Bytes < 0 || *l.Bytes >= len(lastChunk)):
		return unfit(l, "bytes")
	case l.Pause < 0:
		return unfit(l, "pause")
	}
	return nil
}

func (l *LastChunk) String() string { return spell(l) }

// Spares tells that the connection stays open for the next request.
func (l *LastChunk) Spares() bool { return l.Pause > 0 }

func (l *LastChunk) Send(_ Phase, x Exchange, w Raw) (whole bool, err error) {
	r, n := *x.Reply(), 0
	if l.Bytes != nil {
		n = *l.Bytes
	}
	r.Chunked = true
	head := r.head(x.Now(), 0)
	if l.Spares() {
		head = r.keptHead(x.Now(), 0)
	}
	if _, err := w.Write(slices.Concat(head, chunk(r.Body), []byte(lastChunk[:n]))); err != nil || !l.Spares() {
		return false, err
	}
	if !x.Wait(l.Pause) {
		return false, nil
	}
	_, err = w.Write([]byte(lastChunk[n:]))
	return err == nil, err
}
