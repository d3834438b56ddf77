package faults

// Stall begins a reply and never goes on, with the connection open: bytes have come, so a timeout that only waits for the first one, or
// starts again at each, never ends the wait.
type Stall struct {
	Bytes *int // how much of the head or of the body is sent; nil = half
}

var _ Sender = (*Stall)(nil)

func (*Stall) Kind() Kind {
	return Kind{
		Name: "stall", Main: "bytes",
		Phases: []Phase{ReplyBody, ReplyHead},
		Wire:   "part of the reply, then silence on an open connection for as long as the client waits",
	}
}

func (s *Stall) Fields() []Field { return []Field{partOf(&s.Bytes)} }

func (s *Stall) Check() error {
	if negative(s.Bytes) {
		return unfit(s, "bytes")
	}
	return nil
}

func (s *Stall) String() string { return spell(s) }

func (s *Stall) Send(at Phase, x Exchange, w Raw) (whole bool, err error) {
	if _, err := w.Write(x.Reply().part(at, s.Bytes, x.Now())); err != nil {
		return false, err
	}
	x.Hold()
	return false, nil
}
