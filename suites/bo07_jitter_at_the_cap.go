package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// pastSaturation is the first wait that is surely at the cap of the scenario: 50 ms doubled twice is 200 ms.
const pastSaturation = 5

func jitterAtTheCap() Rule {
	return Rule{
		ID: "BO-07", Level: Should, Family: Backoff, Profile: Polite,
		Says:   "waits still vary when they have reached the cap",
		Source: "AWS Architecture Blog, Exponential Backoff And Jitter",
		Under:  "unavailable-with-a-low-cap",
		Needs:  drive.PolicyPerCall,
		Why:    "In a long outage every client ends up at the cap. If jitter ends there, they all come at the same beat, for hours.",
		Right:  "Draw the wait below the capped ceiling; do not cap what was drawn.",
		Holds: func(b *Bench, t transcript.Transcript) {
			var waits []float64
			for op := range b.Repeated(t.In()) {
				if ws := op.Waits(); len(ws) > pastSaturation {
					for _, w := range ws[pastSaturation:] {
						waits = append(waits, w.Seconds())
					}
				}
			}
			switch n := len(waits); {
			case n == 0: // none reached the cap
			case n < fewestForSpread:
				b.Vacuous("only %s at the cap: want %d to tell jitter from chance", count(n, "wait"), fewestForSpread)
			default: // decorrelated jitter puts most of them at the cap itself, and that is no lock-step
				b.varies(varying{what: "waits at the cap", waits: waits, lateness: deviation(waits)})
			}
		},
	}
}
