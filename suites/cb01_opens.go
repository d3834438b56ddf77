package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func opens() Rule {
	return Rule{
		ID: "CB-01", Level: Should, Family: Breakers, Profile: Isolating,
		Says:   "a breaker opens when as many calls failed as it says, and then lets nothing through but its probes",
		Source: "Nygard, Release It!, Circuit Breaker; Azure Architecture Center, Circuit Breaker pattern; failsafe-go documentation, Circuit Breaker",
		Under:  "fails-every-call",
		Needs:  drive.Breaker, Declared: true, Lasting: true,
		Why:   "Every call to a dead dependency costs its caller a timeout, and the dependency a request while it tries to stand up: 300 in half a minute instead of the seven that it takes to see that it is dead.",
		Right: "Count failures where calls are made, for all callers together. From the threshold on refuse calls for the whole cooldown, however many come.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In()
			c, later, ok := b.tripped(ops)
			if !ok {
				return
			}
			b.staysShut(c, later)
			b.Measure("calls let through", fmt.Sprintf("%d of %d", len(sent(ops)), len(ops)))
			b.Measure("of those after it had to be open", fmt.Sprintf("%d of %d", len(sent(later)), len(later)))
		},
	}
}
