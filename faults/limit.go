package faults

// Limit ends a connection with FIN once that many bytes have gone through, wherever in a message that is. It is Toxiproxy's
// limit_data toxic. Downstream it cuts replies, whose requests ran; upstream it cuts requests. All requests of the connection count
// together, their heads included.
type Limit struct {
	Bytes  int
	Stream Stream
}

var _ Chain = (*Limit)(nil)

func (*Limit) Kind() Kind {
	return Kind{
		Name: "limit", Main: "bytes",
		Phases: []Phase{Connect},
		Wire:   "FIN after that many bytes of the connection",
	}
}

func (l *Limit) Fields() []Field {
	return []Field{
		{Name: "bytes", Wants: "1 or more bytes (a reply that is lost whole is \"close after-commit\")", Value: aboveZero{numberOf(&l.Bytes)}},
		streamOf(&l.Stream),
	}
}

func (l *Limit) Check() error {
	switch {
	case l.Bytes < 1:
		return unfit(l, "bytes")
	case !l.Stream.valid():
		return unfit(l, "stream")
	}
	return nil
}

func (l *Limit) String() string { return spell(l) }

func (l *Limit) Toxics() []Toxic {
	return l.Stream.toxic("limit_data", map[string]any{"bytes": l.Bytes})
}
