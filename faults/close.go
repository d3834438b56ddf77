package faults

// Close ends the connection with FIN, in order and without a reply, as a server does that is shut down. To the client it is as
// mute as a [Reset]: end of file says nothing of the effect.
type Close struct{}

var _ Striker = (*Close)(nil)

func (*Close) Kind() Kind {
	return Kind{
		Name:   "close",
		Phases: []Phase{AfterCommit, Head, BeforeCommit, Idle},
		Wire:   "FIN: end of file at the client; no reply byte, or at idle a whole reply before it",
	}
}

func (*Close) Check() error   { return nil }
func (*Close) String() string { return "close" }

func (*Close) Strike(x Exchange) Step {
	x.Close()
	return Over
}
