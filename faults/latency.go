package faults

import "time"

// Latency delays all bytes of a connection. It is Toxiproxy's latency toxic: each read of bytes is held back for the time given, plus
// or minus the jitter.
//
// Jitter is the one thing here that a seed does not repeat: Toxiproxy draws it from its own source.
type Latency struct {
	For    time.Duration // in whole milliseconds
	Jitter time.Duration // in whole milliseconds, drawn evenly from -Jitter to Jitter
	Stream Stream
}

var _ Chain = (*Latency)(nil)

func (*Latency) Kind() Kind {
	return Kind{
		Name: "latency", Main: "for",
		Phases: []Phase{Connect},
		Wire:   "every byte comes that much later, for the connection's whole life",
	}
}

func (l *Latency) Fields() []Field {
	return []Field{
		{Name: "for", Wants: "whole milliseconds above zero, up to 24h, such as 200ms", Value: aboveZero{durationOf(&l.For)}},
		{Name: "jitter", Wants: "whole milliseconds, no more than for", Value: durationOf(&l.Jitter)},
		streamOf(&l.Stream),
	}
}

func (l *Latency) Check() error {
	switch {
	case l.For == 0 || !whole(l.For, time.Millisecond):
		return unfit(l, "for")
	case l.Jitter > l.For || !whole(l.Jitter, time.Millisecond):
		return unfit(l, "jitter")
	case !l.Stream.valid():
		return unfit(l, "stream")
	}
	return nil
}

func (l *Latency) String() string { return spell(l) }

func (l *Latency) Toxics() []Toxic {
	return l.Stream.toxic("latency", map[string]any{"latency": l.For.Milliseconds(), "jitter": l.Jitter.Milliseconds()})
}
