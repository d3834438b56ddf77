package faults

// Reset ends the connection with RST. Before the commit the request is surely not applied; after it, it surely is. The client
// sees the same error either way and cannot know: that pair is the reason this tool exists.
type Reset struct{}

var _ Striker = (*Reset)(nil)

func (*Reset) Kind() Kind {
	return Kind{
		Name:   "reset",
		Phases: []Phase{AfterCommit, Head, BeforeCommit, Idle},
		Wire:   "RST: ECONNRESET at the client; no reply byte, or at idle a whole reply before it",
	}
}

func (*Reset) Check() error   { return nil }
func (*Reset) String() string { return "reset" }

func (*Reset) Strike(x Exchange) Step {
	x.Reset()
	return Over
}
