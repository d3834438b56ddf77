package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func serverError() Rule {
	return Rule{
		ID: "RT-04", Level: ShouldNot, Family: Retrying, Profile: Safe,
		Says:   "500 is not taken as a licence to repeat a write without a key",
		Source: "RFC 9110, 9.2.2; Stripe API, Idempotent requests (a 500 is saved and replayed like any result)",
		Under:  "server-error-after-commit",
		Needs:  drive.Retries,
		Why:    "A server that crashes after its commit answers 500. Repeating the write applies it again, and crashes it again.",
		Right:  "Report a 500 on an unkeyed write as unknown, and find out by a look-up.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In()
			for op := range b.Reached(ops) {
				b.Expect(op).To(BeSentOnce())
				b.Expect(op).To(ApplyAtMostOnce())
			}
			b.wantsRetries(ops)
		},
	}
}
