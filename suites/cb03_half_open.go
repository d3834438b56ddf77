package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func halfOpen() Rule {
	return Rule{
		ID: "CB-03", Level: Must, Family: Breakers, Profile: Isolating,
		Says:   "a half-open breaker lets its probes through and nothing else, however many callers come at once",
		Source: "Azure Architecture Center, Circuit Breaker pattern (Half-Open: a limited number of requests); Nygard, Release It!, Circuit Breaker",
		Under:  "crowd-at-the-cooldowns-end",
		Needs:  drive.Breaker, Declared: true, Lasting: true,
		Why:   "All callers that were turned away wait for the same moment. Let them all in at once, and a dependency that was about to recover is struck down again by the very thing that was to spare it.",
		Right: "Take a permit and change the state in one step, under one lock. Who gets no permit is refused as if the breaker were open, until the probes have been answered.",
		Holds: func(b *Bench, t transcript.Transcript) {
			c, ok := b.circuit()
			if !ok || !b.wasOpen(c, t.In("failing")) {
				return
			}
			through := sent(t.In("the crowd"))
			if len(through) == 0 {
				b.NotTested("the client let nobody through, %s after the last failure", show(c.cooldown))
				return
			}
			over := clock.Never
			for _, op := range through {
				if end := op.Over(1); !over.Happened() || end.Happened() && end < over {
					over = end
				}
			}
			probes := 0
			for _, op := range through {
				b.about(op)
				if !over.Happened() || op.Attempts[0].FirstByte < over {
					probes++
				}
			}
			b.expected++
			b.Measure("probes", probes)
			if probes > c.probes {
				b.breach(
					fmt.Sprintf("%s until the first is answered", count(c.probes, "probe")),
					fmt.Sprintf("%d calls of %d", probes, len(t.In("the crowd"))))
			}
		},
	}
}
