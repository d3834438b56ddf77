package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func sharedBudget() Rule {
	return Rule{
		ID: "RB-02", Level: Should, Family: Budgets, Profile: Polite,
		Says:   "all operations to one dependency draw on one budget, and other dependencies have their own",
		Source: "Finagle, RetryBudget (one instance is to be shared); gRFC A6, Throttling Retry Attempts and Hedged RPCs (throttling is per server name)",
		Under:  "outage-of-one-of-two",
		Needs:  drive.Budget, Declared: true, Lasting: true,
		Why: "A budget for each worker is no budget: forty of them that save up ten retries each send four hundred. And one budget for everything lets " +
			"the dependency that is down use up the retries of all those that are well.",
		Right: "One budget object for each dependency, made where the client is made, and handed to all that use it.",
		Holds: func(b *Bench, t transcript.Transcript) {
			waves := t.In("first wave", "second wave", "third wave")
			b.tried(waves)
			if len(waves) > 0 {
				b.paysFor(waves, "retries", waves[0].Began, b.saved())
			}
			for op := range b.Reached(t.In("a failure elsewhere")) {
				b.retriesElsewhere(op, t.In("well elsewhere"))
			}
		},
	}
}

// retriesElsewhere expects an operation to be retried whose dependency has been well since those before it.
func (b *Bench) retriesElsewhere(op transcript.Op, before []transcript.Op) {
	since := op.Began
	if len(before) > 0 {
		since = before[0].Began
	}
	b.paid(op, len(before), op.Began.Sub(since), 1)
}
