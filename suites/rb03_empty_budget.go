package suites

import (
	"fmt"
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func emptyBudget() Rule {
	return Rule{
		ID: "RB-03", Level: Must, Family: Budgets, Profile: Polite,
		Says:   "an empty budget fails fast, and what the caller is told is what the service said",
		Source: "gRFC A6, Throttling Retry Attempts and Hedged RPCs (neither retries nor hedges wait for tokens)",
		Under:  "outage-and-recovery",
		Needs:  drive.Budget, Declared: true, Lasting: true,
		Why: "A client that waits for its budget holds its threads and its callers for as long as the outage lasts, and the outage climbs up. One that " +
			"answers 'budget exceeded' hides the 503 from the caller who has to decide what to do, and from whoever has to find out.",
		Right: "Ask the budget before the wait, not after it. If it says no, return the last reply as it is.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In(outage)
			if !b.tried(ops) {
				return
			}
			unpaid := b.unpaid(ops)
			told := slices.ContainsFunc(ops, func(op transcript.Op) bool { return op.Outcome != drive.OK && op.Status != 0 })
			if !told {
				b.NotTested("the client tells its callers no status of what failed")
			}
			for _, op := range unpaid {
				n := len(op.Attempts)
				b.Within(op, "the answer after the last attempt", op.Ended.Sub(op.Over(n)), 0)
				if told {
					b.Expect(op).To(tellItsLastStatus())
				}
			}
			for _, op := range ops {
				b.waitsForNoBudget(op)
			}
			b.Measure("refused", fmt.Sprintf("%d of %s", len(unpaid), count(len(ops), "operation")))
		},
	}
}

// waitsForNoBudget expects no wait to be longer than the backoff that is claimed.
func (b *Bench) waitsForNoBudget(op transcript.Op) {
	for i, w := range op.Waits() {
		if longest, claimed := b.longest(op, i+1); claimed {
			b.Within(op, fmt.Sprintf("attempt %d", i+2), w, longest)
		}
	}
}

// tellItsLastStatus holds for an operation whose caller was told the status of the last reply.
func tellItsLastStatus() matcher {
	return matcher{
		needed: "the status of the last reply",
		holds:  func(op transcript.Op) bool { return op.Status == lastOf(op).Status || op.Trouble != "" },
		seen: func(op transcript.Op) string {
			return fmt.Sprintf("a reply of %d, and the client said %s", lastOf(op).Status, said(op))
		},
	}
}
