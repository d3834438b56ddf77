package faults

import (
	"net/http"
	"slices"
	"strconv"
)

// Conflict frames its reply in two ways at once, on a connection that is kept. Where two lengths contradict each other, the longer one
// takes a reply in that nobody asked for: whoever believes it hands it on, whoever believes the shorter one finds it where the next answer
// should be. Both are wrong; such a reply is to be discarded and its connection closed. Chunks with a length beside them are framed by
// the chunks alone (RFC 9112, 6.3).
type Conflict struct{ Of Framings }

// Framings is what contradicts each other.
type Framings string

// The conflicts.
const (
	ShortAndLong    Framings = "short-and-long"    // two Content-Length fields, the true one first
	LongAndShort    Framings = "long-and-short"    // the same two, the true one last
	ChunksAndLength Framings = "chunks-and-length" // chunks, and a Content-Length that is not theirs
)

var (
	_ Sender = (*Conflict)(nil)
	_ Sparer = (*Conflict)(nil)
)

func (*Conflict) Kind() Kind {
	return Kind{
		Name: "conflict", Main: "of",
		Phases: []Phase{ReplyHead},
		Wire:   "a reply whose head frames its body in two ways; the connection stays open",
	}
}

func (c *Conflict) Fields() []Field {
	return []Field{{Name: "of", Wants: "short-and-long, long-and-short (two Content-Length fields) or chunks-and-length", Value: textOf(&c.Of)}}
}

func (c *Conflict) Check() error {
	if !slices.Contains([]Framings{ShortAndLong, LongAndShort, ChunksAndLength}, c.Of) {
		return unfit(c, "of")
	}
	return nil
}

func (c *Conflict) String() string { return spell(c) }

// Spares tells that the connection stays open for the next request.
func (*Conflict) Spares() bool { return true }

func (c *Conflict) Send(_ Phase, x Exchange, w Raw) (whole bool, err error) {
	r := *x.Reply()
	own := strconv.Itoa(len(r.Body))
	if c.Of == ChunksAndLength {
		r.Chunked = true
		head := r.framedBy(x.Now(), http.Header{"Transfer-Encoding": {"chunked"}, "Content-Length": {own}})
		_, err = w.Write(append(head, r.body()...))
		return err == nil, err
	}
	r.Chunked = false
	behind := unasked(http.StatusOK, false, x.Now())
	lengths := []string{own, strconv.Itoa(len(r.Body) + len(behind))}
	if c.Of == LongAndShort {
		slices.Reverse(lengths)
	}
	_, err = w.Write(slices.Concat(r.framedBy(x.Now(), http.Header{"Content-Length": lengths}), r.body(), behind))
	return err == nil, err
}
