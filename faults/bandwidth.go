package faults

// Bandwidth slows a connection down to a rate. It is Toxiproxy's bandwidth toxic, and counts as that does: 1 KB is 1,000 bytes. At a
// low rate the bytes come in portions of a tenth of a second.
type Bandwidth struct {
	Rate   int // KB/s
	Stream Stream
}

// fastest bounds the rate, in KB/s. It is beyond any loopback, and Toxiproxy's products stay far from overflow. Zero is refused as
// well: Toxiproxy would then never send anything.
const fastest = 10_000_000

var _ Chain = (*Bandwidth)(nil)

func (*Bandwidth) Kind() Kind {
	return Kind{
		Name: "bandwidth", Main: "rate",
		Phases: []Phase{Connect},
		Wire:   "bytes come no faster than that",
	}
}

func (b *Bandwidth) Fields() []Field {
	return []Field{
		{Name: "rate", Wants: "1 to 10000000 KB/s, without the unit", Value: aboveZero{numberOf(&b.Rate)}},
		streamOf(&b.Stream),
	}
}

func (b *Bandwidth) Check() error {
	switch {
	case b.Rate < 1 || b.Rate > fastest:
		return unfit(b, "rate")
	case !b.Stream.valid():
		return unfit(b, "stream")
	}
	return nil
}

func (b *Bandwidth) String() string { return spell(b) }

func (b *Bandwidth) Toxics() []Toxic {
	return b.Stream.toxic("bandwidth", map[string]any{"rate": b.Rate})
}
