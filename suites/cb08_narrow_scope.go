package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func narrowScope() Rule {
	return Rule{
		ID: "CB-08", Level: Should, Family: Breakers, Profile: Isolating,
		Says:   "a breaker for one dependency does not stop the calls to another",
		Source: "Azure Architecture Center, Circuit Breaker pattern (resource differentiation); Envoy documentation, Circuit breaking (limits per upstream cluster)",
		Under:  "one-origin-fails",
		Needs:  drive.Breaker, Declared: true, Lasting: true,
		Why:   "The recommendations are down, and nobody can pay: one slow address has cut off all the others.",
		Right: "Keep a breaker for each dependency, found by the address that is called; never one for the whole client.",
		Holds: func(b *Bench, t transcript.Transcript) {
			c, ok := b.circuit()
			if !ok || !b.wasOpen(c, beginning(t, "failing")) {
				return
			}
			well := beginning(t, "well")
			for _, op := range well {
				b.Expect(op).To(BeLetThrough())
			}
			b.Measure("let through beside the failures", fmt.Sprintf("%d of %d", len(sent(well)), len(well)))
		},
	}
}
