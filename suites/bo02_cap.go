package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// overCap is by what factor a wait may exceed the cap: some clients put jitter of 20 % on top of it (gRFC A6).
const overCap = 1.2

func cappedWaits() Rule {
	return Rule{
		ID: "BO-02", Level: Must, Family: Backoff, Profile: Polite,
		Says:   "waits are capped",
		Source: "gRFC A6, Exponential Backoff (maxBackoff)",
		Under:  "unavailable-with-a-low-cap",
		Needs:  drive.PolicyPerCall,
		Why:    "Ten doublings later the client waits for minutes, and goes on waiting long after the dependency is back.",
		Right:  "The ceiling of a wait is the smaller of the cap and the doubled base.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				for _, w := range op.Waits() {
					b.Within(op, "every next attempt after", w, time.Duration(overCap*float64(op.Cap)))
				}
			}
		},
	}
}
