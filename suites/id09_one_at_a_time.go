package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func oneAtATime() Rule {
	return Rule{
		ID: "ID-09", Level: Must, Family: Idempotency, Profile: Safe,
		Says:   "without hedging, an attempt begins only when the one before it was answered or given up",
		Source: "draft-ietf-httpapi-idempotency-key-header, Error Handling (concurrent requests); AWS Builders' Library, Timeouts, retries and backoff with jitter (a retry adds load to what is slow already)",
		Under:  "silent-past-the-attempt",
		Needs:  drive.Retries,
		Why:    "A timer that only stops the waiting leaves the request running: a slow dependency carries each order two, three, four times at once, and every one of them may still be applied.",
		Right:  "End the attempt itself when its timer fires, so that its connection is closed, and begin the next one after that.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				if b.Client.Has(drive.Hedging) {
					b.NotTested("%s: the client hedges, so that attempts may run beside each other", op.Case)
					continue
				}
				for k := 1; k < len(op.Attempts); k++ {
					over := op.Over(k)
					if !over.Happened() {
						over = t.Ended
					}
					what := fmt.Sprintf("the end of attempt %d, counted from the first byte of the next,", k)
					b.within(op, what, over.Sub(op.Attempts[k].FirstByte), 0, leastOverlap)
				}
			}
		},
	}
}
