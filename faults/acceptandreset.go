package faults

// ResettingDoor accepts a connection and ends it with RST before it reads a byte, as the kernel does for a process that dies while
// the connection waits in its queue. It is the upstream one of the two resets: the fake never saw the request. See [Reset] for the other.
type ResettingDoor struct{}

var _ Door = (*ResettingDoor)(nil)

func (*ResettingDoor) Kind() Kind {
	return Kind{
		Name:   "accept-and-reset",
		Phases: []Phase{Connect},
		Wire:   "the connection is made, then RST: ECONNRESET where the reply should begin",
	}
}

func (*ResettingDoor) Check() error   { return nil }
func (*ResettingDoor) String() string { return "accept-and-reset" }

func (*ResettingDoor) Door() Welcome { return Welcome{Door: AcceptAndReset} }
