package faults

// Kinds lists every fault, each as a fresh pointer to its zero value, from the first phase to the last. To add a fault, write its file
// and add its line here.
func Kinds() []Action {
	return []Action{
		&ClosedPort{},
		&SilentPort{},
		&ClosingDoor{},
		&ResettingDoor{},
		&StallingDoor{},

		&Latency{},
		&Bandwidth{},
		&Slice{},
		&Limit{},

		&Delay{},
		&Hold{},
		&Close{},
		&Reset{},
		&Status{},
		&Redirect{},
		&Sever{},
		&Saved{},
		&Interim{},
		&NoContinue{},
		&Range{},

		&Truncate{},
		&Drip{},
		&Stall{},
		&LastChunk{},
		&Garbage{},
		&Conflict{},
		&Unclosed{},
		&Surplus{},
	}
}
