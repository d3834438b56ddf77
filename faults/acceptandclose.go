package faults

// ClosingDoor accepts a connection and ends it with FIN before it reads a byte, as a proxy does that has no server behind it. The request
// may already be on its way: nothing was applied, but the client cannot know.
type ClosingDoor struct{}

var _ Door = (*ClosingDoor)(nil)

func (*ClosingDoor) Kind() Kind {
	return Kind{
		Name:   "accept-and-close",
		Phases: []Phase{Connect},
		Wire:   "the connection is made, then FIN: end of file where the reply should begin",
	}
}

func (*ClosingDoor) Check() error   { return nil }
func (*ClosingDoor) String() string { return "accept-and-close" }

func (*ClosingDoor) Door() Welcome { return Welcome{Door: AcceptAndClose} }
