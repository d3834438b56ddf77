package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func neighbours() Rule {
	return Rule{
		ID: "BH-02", Level: Must, Family: Bulkheads, Profile: Isolating,
		Says:   "a dependency that is silent does not hold up the calls to another one",
		Source: "Nygard, Release It!, Bulkheads; Azure Architecture Center, Bulkhead pattern; Envoy documentation, Circuit breaking (limits per upstream cluster)",
		Under:  "silent-beside-a-sound-one",
		Needs:  drive.Bulkhead, Declared: true, Lasting: true,
		Why:   "Four threads wait for the recommendations; the fifth customer, who only wants to pay, waits for them too.",
		Right: "Places, threads and connections for each dependency, and none that all of them share.",
		Holds: func(b *Bench, t transcript.Transcript) {
			limit, ok := b.places()
			silent := t.In("the silent one")
			if !ok || !b.crowded(silent, limit) {
				return
			}
			if len(sent(silent)) == 0 {
				b.NotTested("%s: no attempt came", name(silent))
				return
			}
			var usual time.Duration
			before := t.In("the sound one, before")
			for op := range b.Reached(before) {
				if op.Outcome == drive.OK {
					usual = max(usual, op.Elapsed())
				}
			}
			if usual == 0 && len(sent(before)) == 0 {
				return
			}
			var slowest time.Duration
			for _, op := range t.In("the sound one, beside it") {
				b.Within(op, "the answer of the sound one", op.Elapsed(), usualTimes*usual)
				b.Expect(op).To(EndIn(drive.OK))
				slowest = max(slowest, op.Elapsed())
			}
			b.Measure("slowest answer before", show(usual))
			b.Measure("slowest answer beside", show(slowest))
		},
	}
}

// usualTimes is how many times the slowest answer without a silent neighbour one beside it may take.
const usualTimes = 2
