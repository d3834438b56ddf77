package fakes

import (
	"errors"
	"fmt"

	"github.com/brownout-dev/brownout/faults"
)

// check refuses a plan with a fault that could never act, since a fault that is silently left out makes a verdict a lie. What listeners
// and connections can do, package wire checks.
func check(p faults.Plan, origins int) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	for op, s := range p.Operations {
		if err := checkScript(s, origins); err != nil {
			return fmt.Errorf("plan: operation %s: %w", op, err)
		}
	}
	for i, r := range p.Routes {
		if err := checkScript(r.Script, origins); err != nil {
			return fmt.Errorf("plan: routes: entry %d: %w", i+1, err)
		}
	}
	return nil
}

func checkScript(s faults.Script, origins int) error {
	if s.AnotherOrigin() && origins < 2 {
		return errors.New("a redirect leads to the second origin: want a fake that listens on two")
	}
	for i, step := range s.Steps {
		for _, f := range step {
			_, strikes := f.Action.(faults.Striker)
			if _, keeps := f.Action.(faults.Keeper); strikes || keeps {
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
