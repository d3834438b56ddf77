package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/drive"
)

// spares gives the verdict of a rule on a client that it has nothing to do with, by what the client says of itself; nil where it is to be
// judged.
func (r Rule) spares(client drive.Hello) *Verdict {
	switch {
	case r.Lasting && client.Has(drive.ProcessPerCall):
		return &Verdict{Rule: r.ID, Result: NotTested, Detail: "each call is a process of its own, so that the client keeps nothing from one to the next"}
	case r.Declared && !client.Has(r.Needs):
		return &Verdict{Rule: r.ID, Result: Unsupported, Detail: fmt.Sprintf("the client does not say that it has this (feature %s)", r.Needs)}
	}
	return nil
}
