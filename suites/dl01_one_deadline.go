package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/transcript"
)

func oneDeadline() Rule {
	return Rule{
		ID: "DL-01", Level: Must, Family: Deadlines, Profile: Basic,
		Says:   "one deadline bounds the whole operation: every attempt, every wait, every byte",
		Source: "gRFC A6, Maximum Number of Retries (the call deadline spans all attempts); AWS Builders' Library, Timeouts, retries and backoff with jitter",
		Under:  "past-the-deadline",
		Why:    "A caller with two seconds left is held for as many timeouts as there are attempts; its own caller has long gone, and threads and connections pile up behind it.",
		Right:  "Take one point in time when the call is read. Every attempt gets what is left until then, never a fresh timeout of its own, and the request is cancelled when it is reached.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				deadline := time.Duration(op.Deadline)
				b.Within(op, "the answer", op.Elapsed(), deadline)
				b.Within(op, "the last attempt's first byte", op.LastAttempt().Sub(op.Began), deadline)
				b.letsGo(op, deadline)
			}
		},
	}
}
