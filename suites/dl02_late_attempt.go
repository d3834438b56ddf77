package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func lateAttempt() Rule {
	return Rule{
		ID: "DL-02", Level: MustNot, Family: Deadlines, Profile: Basic,
		Says:   "no attempt starts after the deadline",
		Source: "gRFC A6, Maximum Number of Retries; AWS Builders' Library, Timeouts, retries and backoff with jitter",
		Under:  "past-the-deadline",
		Needs:  drive.Retries,
		Why:    "The caller has its answer already: the late attempt costs a struggling dependency work that nobody waits for, and a late write is applied after the user was told that it failed.",
		Right:  "Before each attempt, and after each wait, look at the time that is left; with none left, stop.",
		Holds: func(b *Bench, t transcript.Transcript) {
			cutShort := false
			for op := range b.Reached(t.In()) {
				last := op.LastAttempt().Sub(op.Began)
				b.within(op, "the last attempt's first byte", last, time.Duration(op.Deadline), dispatchSlack)
				cutShort = cutShort || b.stoppedByDeadline(op)
			}
			if !cutShort {
				b.Vacuous("the client's attempts were over long before the deadline")
			}
		},
	}
}
