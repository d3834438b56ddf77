package scenarios

import "slices"

// Origin is which address of the fake an operation is sent to: to a client, each is a dependency of its own.
type Origin string

const (
	FirstOrigin  Origin = ""
	SecondOrigin Origin = "second"
	ClosedOrigin Origin = "closed" // nobody listens there: connections are refused
	// OwnOrigin gives each operation of the case an address that no other has, where the client has a budget or a breaker: they would mix them. Others
	// are spared it: the pool of a client holds connections to few addresses.
	OwnOrigin Origin = "own"
)

func (o Origin) known() bool {
	return slices.Contains([]Origin{FirstOrigin, SecondOrigin, ClosedOrigin, OwnOrigin}, o)
}

// The places of the origins among a fake's addresses; those that single operations own come after.
const (
	first = iota
	second
	ClosedAt // the address of ClosedOrigin
)

// Origins is how many addresses the operations want.
func Origins(ops []Operation) int {
	n := 1
	for _, op := range ops {
		n = max(n, op.Origin+1)
		if op.Case.Script.AnotherOrigin() {
			n = max(n, second+1)
		}
	}
	return n
}

// Together gives operations without addresses of their own: to a client that shares nothing between them, the first will do for all.
func Together(ops []Operation) []Operation {
	ops = slices.Clone(ops)
	for i := range ops {
		if ops[i].Case.Origin == OwnOrigin {
			ops[i].Origin = first
		}
	}
	return ops
}
