package suites

import (
	"fmt"
	"math"

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
			if len(waits) > 0 {
				b.varies(waits)
			}
		},
	}
}

// varies expects waits to vary, in whatever way: decorrelated jitter puts most of them at the cap itself, and that is no lock-step.
func (b *Bench) varies(waits []float64) {
	n := len(waits)
	if n < fewestForSpread {
		b.Vacuous("only %s at the cap: want %d to tell jitter from chance", count(n, "wait"), fewestForSpread)
		return
	}
	b.expected++
	b.subject = transcript.Op{}
	cv := deviation(waits) / mean(waits)
	b.Measure("variation at the cap", fmt.Sprintf("%.1f %%", 100*cv))
	needed := fmt.Sprintf("waits at the cap that vary by %.0f %% or more", 100*leastVariation)
	seen := fmt.Sprintf("%.1f %% over %s", 100*cv, count(n, "wait"))
	switch {
	case math.IsNaN(cv), cv*(1+confidence/math.Sqrt(2*float64(n))) < leastVariation:
		b.breach(needed, seen)
	case cv < leastVariation:
		b.Doubt("needed %s; seen %s: too few to be sure", needed, seen)
	case deviation(waits) <= b.typical.Seconds():
		b.Doubt("needed %s; seen %s, which this machine's lateness could have made", needed, seen)
	}
}
