package faults

// Truncate breaks off in the middle of a reply whose head promised more. The effect was applied and the status may well be 200: a client
// that takes what came for the whole believes in half an answer.
type Truncate struct {
	Bytes   *int // how much of the head or of the body is sent; nil = half
	Chunked bool // chunked framing without the last chunk, whatever the reply's own is
	End     End
}

// End is how a connection ends.
type End string

// The two ends of a connection.
const (
	FIN End = "fin" // the default
	RST End = "reset"
)

var _ Sender = (*Truncate)(nil)

func (*Truncate) Kind() Kind {
	return Kind{
		Name: "truncate", Main: "bytes",
		Phases: []Phase{ReplyBody, ReplyHead},
		Wire:   "part of the reply, then FIN or RST, with bytes missing that the head declared, or the last chunk",
	}
}

func (t *Truncate) Fields() []Field {
	return []Field{
		partOf(&t.Bytes),
		{Name: "chunked", Wants: "true or false", Value: flagOf(&t.Chunked)},
		{Name: "end", Wants: "fin (the default) or reset", Value: textOf(&t.End)},
	}
}

func (t *Truncate) Check() error {
	switch {
	case negative(t.Bytes):
		return unfit(t, "bytes")
	case t.End != "" && t.End != FIN && t.End != RST:
		return unfit(t, "end")
	}
	return nil
}

func (t *Truncate) String() string { return spell(t) }

func (t *Truncate) Send(at Phase, x Exchange, w Raw) (whole bool, err error) {
	r := *x.Reply()
	r.Chunked = r.Chunked || t.Chunked
	if _, err := w.Write(r.part(at, t.Bytes, x.Now())); err != nil {
		return false, err
	}
	if t.End == RST {
		x.Reset()
	}
	return false, nil
}
