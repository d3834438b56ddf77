package faults

// Unclosed says "Connection: close" in a whole reply, and leaves the connection open: a server that is slow to close. A client that sends its
// next request there is heard, though it must not (RFC 9112, 9.6); on another day the connection is gone by then.
type Unclosed struct{}

var (
	_ Sender = (*Unclosed)(nil)
	_ Sparer = (*Unclosed)(nil)
)

func (*Unclosed) Kind() Kind {
	return Kind{
		Name:   "unclosed",
		Phases: []Phase{ReplyHead},
		Wire:   "a whole reply with Connection: close, on a connection that stays open all the same",
	}
}

func (*Unclosed) Check() error   { return nil }
func (*Unclosed) String() string { return "unclosed" }

// Spares tells that the connection stays open for the next request.
func (*Unclosed) Spares() bool { return true }

func (*Unclosed) Send(_ Phase, x Exchange, w Raw) (whole bool, err error) {
	r := x.Reply()
	_, err = w.Write(append(r.head(x.Now(), len(r.Body)), r.body()...))
	return err == nil, err
}
