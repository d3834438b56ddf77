package faults

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// Range answers a client that asks for the rest of something with what is not the rest of it. Each of its replies says so: in its
// status, in its Content-Range or in its ETag (RFC 9110, 14.4 and 15.3.7). Only a client that does not look joins the parts.
type Range struct{ Answer Part }

// Part is what a client is given for the range that it asked for.
type Part string

// The answers.
const (
	Ignored Part = "ignored" // the whole from its beginning, with 200
	Shifted Part = "shifted" // 206, but from a byte later than was asked for
	Changed Part = "changed" // the range that was asked for, but of something else, with another ETag; to those who ask for all, all of it
)

var _ Striker = (*Range)(nil)

func (*Range) Kind() Kind {
	return Kind{
		Name: "range", Main: "answer",
		Phases: []Phase{AfterCommit},
		Wire:   "to a request for a range: 200 with all of it, 206 with another range, or 206 with the range of something else",
	}
}

func (r *Range) Fields() []Field {
	return []Field{{Name: "answer", Wants: "ignored, shifted or changed", Value: textOf(&r.Answer)}}
}

func (r *Range) Check() error {
	if !slices.Contains([]Part{Ignored, Shifted, Changed}, r.Answer) {
		return unfit(r, "answer")
	}
	return nil
}

func (r *Range) String() string { return spell(r) }

func (r *Range) Strike(x Exchange) Step {
	reply := x.Reply()
	reply.Header = maps.Clone(reply.Header)
	switch r.Answer {
	case Ignored:
		if reply.Whole != nil {
			reply.Status, reply.Body, reply.Whole, reply.Offset = http.StatusOK, reply.Whole, nil, 0
			reply.Header.Del("Content-Range")
		}
	case Shifted:
		if reply.Whole != nil && len(reply.Body) > 1 {
			reply.Offset, reply.Body = reply.Offset+1, reply.Body[1:]
			reply.Header.Set("Content-Range", reply.ContentRange())
		}
	case Changed:
		reply.Body, reply.Whole = another(reply.Body), another(reply.Whole)
		if etag := reply.Header.Get("ETag"); etag != "" {
			reply.Header.Set("ETag", `"another-`+etag[1:])
		}
	}
	return GoOn
}

// another is a text of the same length that differs in every letter; nil for nil.
func another(text []byte) []byte {
	other := slices.Clone(text)
	for i, c := range other {
		switch {
		case 'a' <= c && c <= 'z':
			other[i] = 'a' + (c-'a'+rotation)%letters
		case 'A' <= c && c <= 'Z':
			other[i] = 'A' + (c-'A'+rotation)%letters
		}
	}
	return other
}

const letters, rotation = 26, 13

// ContentRange is the Content-Range of a reply that is a part of something (RFC 9110, 14.4).
func (r *Reply) ContentRange() string {
	return fmt.Sprintf("bytes %d-%d/%d", r.Offset, r.Offset+len(r.Body)-1, len(r.Whole))
}
