package faults

// Hold never answers and leaves the connection open: only the client's own patience ends the attempt. Before the commit nothing
// is ever applied; after it the effect is done and nobody is told. A server that answers in the end is a [Delay].
type Hold struct{}

var _ Striker = (*Hold)(nil)

func (*Hold) Kind() Kind {
	return Kind{
		Name:   "hold",
		Phases: []Phase{BeforeCommit, Head, AfterCommit},
		Wire:   "silence on an open connection, for as long as the client waits",
	}
}

func (*Hold) Check() error   { return nil }
func (*Hold) String() string { return "hold" }

func (*Hold) Strike(x Exchange) Step {
	x.Hold()
	return Over
}
