package suites

import (
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// outage is the case in which everything fails, of the scenarios about budgets.
const outage = "outage"

// savingsLast is how long a client that fails all the time may live on what it had saved up, where it does not claim how much that is.
const savingsLast = 5 * time.Second

func retryRatio() Rule {
	return Rule{
		ID: "RB-01", Level: Should, Family: Budgets, Profile: Polite,
		Says:   "in a long outage retries stay within the budget: a small fraction of first attempts, and a floor",
		Source: "Google SRE Book, 21 (a per-client retry budget, a ratio of 10 %); gRFC A6, Throttling Retry Attempts and Hedged RPCs; Finagle, RetryBudget; Envoy, RetryBudget",
		Under:  "outage-and-recovery",
		Needs:  drive.Budget, Declared: true, Lasting: true,
		Why: "When everything fails, everything is retried: four attempts for each operation are four times the load, for a dependency that could " +
			"not carry the load it had. So an overload of a minute becomes an outage of an hour.",
		Right: "Pay for each retry from a token bucket that first attempts fill, a tenth of a token each, and share it. Where it is empty, the failure is the answer.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In(outage)
			b.tried(ops)
			if len(ops) == 0 {
				return
			}
			from, held := ops[0].Began, b.saved()
			if b.Client.Claims.Budget.Burst == 0 {
				from, held = from+clock.Moment(savingsLast), 1
			}
			b.paysFor(ops, "retries", from, held)
		},
	}
}
