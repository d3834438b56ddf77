package faults

// NoContinue never sends the 100 (Continue) that a client may be waiting for before it sends its body, as servers do that know nothing of
// it. The body is read whenever it comes. To a client that does not wait for a 100, nothing is different.
type NoContinue struct{}

var _ Striker = (*NoContinue)(nil)

func (*NoContinue) Kind() Kind {
	return Kind{
		Name:   "no-continue",
		Phases: []Phase{Head},
		Wire:   "no 100 (Continue), whatever the request expects; a final reply before the body leaves the connection open for it",
	}
}

func (*NoContinue) Check() error   { return nil }
func (*NoContinue) String() string { return "no-continue" }

func (*NoContinue) Strike(x Exchange) Step {
	x.Withhold()
	return GoOn
}
