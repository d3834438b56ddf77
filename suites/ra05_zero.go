package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func zeroHint() Rule {
	return Rule{
		ID: "RA-05", Level: Should, Family: RetryAfter, Profile: Polite,
		Says:   "Retry-After: 0 permits a prompt retry; it neither forbids retrying nor switches backoff off",
		Source: "RFC 9110, 10.2.3 (delay-seconds is a non-negative integer)",
		Under:  "retry-after-zero",
		Needs:  drive.Retries,
		Why:    "A proxy that always adds Retry-After: 0 turns a backoff into a hot loop, or, read as false, turns retries off.",
		Right:  "Take the larger of the hint and the own backoff.",
		Holds: func(b *Bench, t transcript.Transcript) {
			if b.Client.Has(drive.Retries) {
				for op := range b.Reached(t.In()) {
					if !b.stoppedRightly(op, 2) {
						b.Expect(op).To(BeSentAtLeast(2))
					}
				}
			}
			b.comesBack(t.In())
			b.backsOff(t.In())
		},
	}
}
