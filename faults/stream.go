package faults

import (
	"time"
)

// Stream is the direction that a byte-level fault acts on.
type Stream string

// The two directions, in Toxiproxy's words.
const (
	Upstream   Stream = "upstream"   // client to fake
	Downstream Stream = "downstream" // fake to client; the default
)

// longest bounds the durations handed to Toxiproxy: no play is that long, and its sums stay far from overflow.
const longest = 24 * time.Hour

func streamOf(p *Stream) Field {
	return Field{Name: "stream", Wants: "upstream or downstream (the default)", Value: textOf(p)}
}

func (s Stream) valid() bool { return s == "" || s == Upstream || s == Downstream }

// toxic makes the one toxic of a byte-level fault on this stream.
func (s Stream) toxic(kind string, attributes map[string]any) []Toxic {
	if s == "" {
		s = Downstream
	}
	return []Toxic{{Type: kind, Stream: string(s), Attributes: attributes}}
}

// whole tells whether d is one of Toxiproxy's: a whole number of units, within bounds.
func whole(d, unit time.Duration) bool { return d >= 0 && d <= longest && d%unit == 0 }
