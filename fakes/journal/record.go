package journal

import "github.com/brownout-dev/brownout/faults/wire"

// Record is a consistent copy of a journal: every effect's attempt is in it, and every attempt's effect. It shares
// nothing with the journal that changes.
type Record struct {
	Attempts    []Attempt         `json:"attempts"`    // in order of their heads' arrival
	Effects     []Effect          `json:"effects"`     // in order of commit
	Decisions   []Decision        `json:"decisions"`   // in order of being taken
	Connections []wire.Connection `json:"connections"` // in order of acceptance
}
