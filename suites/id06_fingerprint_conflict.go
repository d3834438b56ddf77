package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func fingerprintConflict() Rule {
	return Rule{
		ID: "ID-06", Level: MustNot, Family: Idempotency, Profile: Safe,
		Says:   "a key that is known from another payload is not tried again, nor escaped with a new one",
		Source: "draft-ietf-httpapi-idempotency-key-header, Error Handling (422: clients MUST correct the request before they send another); Stripe API, Idempotent requests",
		Under:  "key-with-another-payload",
		Needs:  drive.IdempotencyKey,
		Why:    "The key belongs to something that was done already, with other contents: an order that was changed after its first attempt, or two orders under one key. A new key does it a second time, and hides the mistake that made the first.",
		Right:  "Hand the refusal to the caller as the programming error that it is, with the key; find out what was done with it before anything is sent again.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if op.Attempts[0].Key == "" {
					b.NotTested("%s: the client sends no key", op.Case)
					continue
				}
				k := answeredFirst(op, 422, 400)
				if k < 0 {
					b.NotTested("%s: the client did not come back after the lost reply", op.Case)
					continue
				}
				b.Expect(op).To(stopAfter(k, "refusal"))
				if op.Status != 0 && len(op.Attempts) == k+1 && len(op.LookUps) == 0 {
					b.Expect(op).To(tellStatus(op.Attempts[k].Status))
				}
				if len(op.LookUps) == 0 { // what it found there, is its own business
					b.Expect(op).To(EndIn(drive.Failed, drive.Unknown, drive.Error))
				}
			}
		},
	}
}
