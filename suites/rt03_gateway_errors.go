package suites

import (
	"net/http"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func gatewayErrors() Rule {
	return Rule{
		ID: "RT-03", Level: Should, Family: Retrying, Profile: Safe,
		Says:   "502 and 504 are retried only for safe or keyed operations",
		Source: "RFC 9110, 9.2.2, 15.6.3, 15.6.5",
		Under:  "gateway-error-after-commit",
		Needs:  drive.Retries,
		Why:    "A 502 does not say whether the origin applied the request. Repeating a write that has no key charges the customer once for every attempt.",
		Right:  "Retry a gateway error for GET, HEAD, PUT and DELETE, and for a POST whose endpoint takes an idempotency key; report any other write as unknown and look it up.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In()
			for op := range b.Reached(ops) {
				switch {
				case op.Struck(op.Attempts[0].Number) == "":
					b.NotTested("%s: the first attempt was answered %d instead", op.Case, op.Attempts[0].Status)
				case (op.Method == http.MethodPost || op.Method == http.MethodPatch) && !keyed(op):
					b.Expect(op).To(BeSentOnce())
					b.Expect(op).To(ApplyAtMostOnce())
				case b.foundByLookUp(op): // noted
				case b.stoppedRightly(op, 2): // noted
				case b.retries(ops) && b.mayRetry(op.Attempts[0].Status):
					b.Expect(op).To(BeSentAtLeast(2))
					b.Expect(op).To(ApplyAtMostOnce())
				default:
					b.NotTested("%s: the client does not retry this status", op.Case)
				}
			}
			b.wantsRetries(ops)
		},
	}
}
