package faults

import "time"

// Slice cuts what goes over a connection into small pieces, so that no read gets a whole message. It is Toxiproxy's slicer toxic: it
// halves until a piece is no longer than Size, or Size+Variation; a Variation moves each cut by that many bytes at most.
//
// Where it cuts a seed does not repeat if there is a variation: Toxiproxy draws it from its own source.
type Slice struct {
	Size      int           // bytes
	Variation int           // bytes, less than Size
	Delay     time.Duration // in whole microseconds, after each piece
	Stream    Stream
}

// largest bounds the size of a piece, in bytes: Toxiproxy reads 32 KiB at once, so larger pieces, variation included, would cut nothing.
const largest = 16 << 10

var _ Chain = (*Slice)(nil)

func (*Slice) Kind() Kind {
	return Kind{
		Name: "slice", Main: "size",
		Phases: []Phase{Connect},
		Wire:   "the same bytes in small pieces",
	}
}

func (s *Slice) Fields() []Field {
	return []Field{
		{Name: "size", Wants: "1 to 16384 bytes", Value: aboveZero{numberOf(&s.Size)}},
		{Name: "variation", Wants: "bytes, less than size", Value: numberOf(&s.Variation)},
		{Name: "delay", Wants: "whole microseconds after each piece, up to 24h, such as 500us", Value: durationOf(&s.Delay)},
		streamOf(&s.Stream),
	}
}

func (s *Slice) Check() error {
	switch {
	case s.Size < 1 || s.Size > largest:
		return unfit(s, "size")
	case s.Variation < 0 || s.Variation >= s.Size:
		return unfit(s, "variation")
	case !whole(s.Delay, time.Microsecond):
		return unfit(s, "delay")
	case !s.Stream.valid():
		return unfit(s, "stream")
	}
	return nil
}

func (s *Slice) String() string { return spell(s) }

func (s *Slice) Toxics() []Toxic {
	return s.Stream.toxic("slicer", map[string]any{
		"average_size": s.Size, "size_variation": s.Variation, "delay": s.Delay.Microseconds(),
	})
}
