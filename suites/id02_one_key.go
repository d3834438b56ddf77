package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func oneKey() Rule {
	return Rule{
		ID: "ID-02", Level: Must, Family: Idempotency, Profile: Safe,
		Says:   "one key per operation, the same on every attempt",
		Source: "draft-ietf-httpapi-idempotency-key-header, 2; Stripe API, Idempotent requests",
		Under:  "replies-lost-three-times",
		Needs:  drive.IdempotencyKey,
		Why:    "A key made inside the retry loop is no key at all, and the code looks right because it uses idempotency keys: of 100 payments with four replies in ten lost, some 165 are booked.",
		Right:  "One key per operation, made outside the loop, kept with the operation, sent on every attempt.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				if keys := op.Keys(); len(keys) == 1 && keys[0] == "" {
					b.NotTested("%s: the client sends no key", op.Case)
					continue
				}
				b.Expect(op).To(UseOneKey())
			}
		},
	}
}
