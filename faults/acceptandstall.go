package faults

// StallingDoor accepts a connection, then neither reads nor writes, as a process does that hangs: the request vanishes in a buffer and
// only the client's own patience ends the wait. Nothing is ever applied.
type StallingDoor struct{}

var _ Door = (*StallingDoor)(nil)

func (*StallingDoor) Kind() Kind {
	return Kind{
		Name:   "accept-and-stall",
		Phases: []Phase{Connect},
		Wire:   "the connection is made, then nothing is read or written",
	}
}

func (*StallingDoor) Check() error   { return nil }
func (*StallingDoor) String() string { return "accept-and-stall" }

func (*StallingDoor) Door() Welcome { return Welcome{Door: AcceptAndStall} }
