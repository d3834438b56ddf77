package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func notCapable() Rule {
	return Rule{
		ID: "RT-05", Level: ShouldNot, Family: Retrying, Profile: Basic,
		Says:   "501 and 505 are not retried",
		Source: "RFC 9110, 15.6.2 and 15.6.6",
		Under:  "not-capable",
		Needs:  drive.Retries,
		Why:    "The server will be no more capable in a second. The user waits through every retry for an answer that was final.",
		Right:  "Do not take every 5xx for a passing trouble: list what may be retried.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In()
			for op := range b.Reached(ops) {
				b.Expect(op).To(BeSentOnce())
			}
			b.wantsRetries(ops)
		},
	}
}
