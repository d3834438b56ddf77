package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// lastWaits begins the waits that 64 bits of doubling never reach: looked at on their own, since among all they are too few to show.
const lastWaits = 64

func manyAttempts() Rule {
	return Rule{
		ID: "BO-08", Level: Must, Family: Backoff, Profile: Polite,
		Says:   "the wait neither overflows nor vanishes at high attempt counts",
		Source: "AWS Architecture Blog, Exponential Backoff And Jitter; IEEE 754 and two's complement",
		Under:  "unavailable-for-seventy-attempts",
		Needs:  drive.PolicyPerCall,
		Why:    "At the 34th or the 64th doubling the number wraps around, the wait is zero, and after hours of outage the client becomes an attack.",
		Right:  "Cap before doubling, or stop doubling at the cap.",
		Holds: func(b *Bench, t transcript.Transcript) {
			if !b.waitsOut(t.In(), lastWaits, maxWait) {
				b.Vacuous("no operation was tried %d times: a budget, a breaker or the time ended it before", lastWaits+1)
			}
			b.backsOff(t.In())
		},
	}
}
