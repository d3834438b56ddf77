package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func budgetRefills() Rule {
	return Rule{
		ID: "RB-04", Level: Must, Family: Budgets, Profile: Polite,
		Says:   "the budget refills: once the dependency has been well for a while, retries work again",
		Source: "gRFC A6, Throttling Retry Attempts and Hedged RPCs (each success adds tokenRatio); AWS SDK for Go v2, retry.Standard (NoRetryIncrement)",
		Under:  "outage-and-recovery",
		Needs:  drive.Budget, Declared: true, Lasting: true,
		Why: "After the first outage the budget is empty, and stays so. Nobody notices: retries are what makes small failures invisible, and from now on " +
			"none is, until the process is started again.",
		Right: "Count in fractions: a tenth of a token a hundred times makes ten, but ten thousand tenths that are rounded down make none.",
		Holds: func(b *Bench, t transcript.Transcript) {
			during, after := t.In(outage), t.In("recovery")
			if !b.tried(during) {
				return
			}
			well := 0
			for _, op := range after {
				if op.Outcome == drive.OK && len(op.Attempts) == 1 {
					well++
				}
			}
			for op := range b.Reached(t.In("a failure after it")) {
				since := during[len(during)-1].Ended
				// A budget that counts failures as well may be as far below what it gives as it can be above.
				b.paid(op, well, op.Began.Sub(since), float64(b.Client.Claims.Budget.Burst)+1)
			}
		},
	}
}
