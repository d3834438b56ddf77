package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func hugeHint() Rule {
	return Rule{
		ID: "RA-07", Level: Must, Family: RetryAfter, Profile: Polite,
		Says:   "a huge value never blocks beyond the deadline, and is never cut down to an early retry",
		Source: "RFC 9110, 10.2.3",
		Under:  "asks-for-a-day",
		Needs:  drive.Retries,
		Why:    "A worker sleeps for a day, or for 484,289 hours when an epoch second was taken for a delay; no alarm rings, since nothing has failed.",
		Right:  "A hint beyond the time left ends the call with the reply that carried it.",
		Holds: func(b *Bench, t transcript.Transcript) {
			b.endsWithItsHint(t.In())
		},
	}
}

// endsWithItsHint expects operations whose hint is longer than their deadline to end in time, without another attempt.
func (b *Bench) endsWithItsHint(ops []transcript.Op) {
	for op := range b.Reached(ops) {
		b.Expect(op).To(BeSentOnce())
		b.Within(op, "the answer", op.Elapsed(), time.Duration(op.Deadline))
	}
	b.wantsRetries(ops)
}
