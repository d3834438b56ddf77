package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func clampedHint() Rule {
	return Rule{
		ID: "RA-08", Level: MustNot, Family: RetryAfter, Profile: Polite,
		Says:   "a hint above the client's own cap is not cut down to an early retry",
		Source: "RFC 9110, 10.2.3",
		Under:  "hint-above-the-cap",
		Needs:  drive.Retries,
		Why:    "The server asked for thirty seconds and gets two: everybody is back fifteen times before it is ready.",
		Right:  "If the hint is longer than the client is willing to wait, stop and return the reply.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In()
			for op := range b.Reached(ops) {
				b.Expect(op).To(WaitAtLeast(30*time.Second, 429, 503))
			}
			b.wantsRetries(ops)
		},
	}
}
