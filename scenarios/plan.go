package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/brownout-dev/brownout/faults"
)

// Operation is one operation of a scenario, ready to be asked for.
type Operation struct {
	ID   faults.OperationID
	Case *Case
	// Origin is the address of the fake that it is sent to, from 0.
	Origin int
}

// Operations lays out the scenario's operations in order. Ids come from the seed, so that a seed repeats a play to the letter; without
// the seed they cannot be guessed.
func (s Scenario) Operations(seed uint64, processPerCall bool) []Operation {
	var ops []Operation
	last := ClosedAt
	for i := range s.Cases {
		c := &s.Cases[i]
		for range c.Count(processPerCall) {
			op := Operation{ID: s.operationID(seed, len(ops)), Case: c, Origin: first}
			switch c.Origin {
			case SecondOrigin:
				op.Origin = second
			case ClosedOrigin:
				op.Origin = ClosedAt
			case OwnOrigin:
				last++
				op.Origin = last
			}
			ops = append(ops, op)
		}
	}
	return ops
}

func (s Scenario) operationID(seed uint64, n int) faults.OperationID {
	sum := sha256.Sum256(fmt.Appendf(nil, "operation\x00%d\x00%s\x00%d", seed, s.Name, n))
	return faults.OperationID("op-" + hex.EncodeToString(sum[:6]))
}

// Plan gives each operation its case's script.
func (s Scenario) Plan(ops []Operation) faults.Plan {
	p := faults.Plan{Operations: make(map[faults.OperationID]faults.Script, len(ops)), Connections: s.Connections}
	for _, op := range ops {
		p.Operations[op.ID] = op.Case.Script
	}
	return p
}
