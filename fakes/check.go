package fakes

import (
	"fmt"

	"github.com/brownout-dev/brownout/faults"
)

// check refuses a plan with a fault that could never act, since a fault that is silently left out makes a verdict a lie. What listeners
// and connections can do, package wire checks.
func check(p faults.Plan) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	for op, s := range p.Operations {
		if err := checkScript(s); err != nil {
			return fmt.Errorf("plan: operation %s: %w", op, err)
		}
	}
	for i, r := range p.Routes {
		if err := checkScript(r.Script); err != nil {
			return fmt.Errorf("plan: routes: entry %d: %w", i+1, err)
		}
	}
	return nil
}

func checkScript(s faults.Script) error {
	for i, step := range s.Steps {
		for _, f := range step {
			if _, strikes := f.Action.(faults.Striker); strikes {
				continue
			}
			if _, sends := f.Action.(faults.Sender); sends && place(f.At) >= place(faults.ReplyHead) {
				continue
			}
			return fmt.Errorf("step %d: %s: the fake has no way to carry it out there", i+1, f)
		}
	}
	return nil
}
