package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func keyRetention() Rule {
	return Rule{
		ID: "ID-11", Level: Should, Family: Idempotency, Profile: Safe,
		Says:   "no attempt is made with a key that the server may have forgotten",
		Source: "draft-ietf-httpapi-idempotency-key-header, 2 (a server publishes when keys expire); Stripe API, Idempotent requests (keys are pruned after 24 hours)",
		Under:  "key-forgotten",
		Needs:  drive.IdempotencyKey,
		Why:    "A job is resumed after a long weekend and sends what it had not finished, with the keys that it had kept. The server has pruned them, takes each for new, and pays everything again.",
		Right:  "Keep the time of the first attempt beside the key. When the server's retention has passed, look the operation up instead of sending it again.",
		Holds: func(b *Bench, t transcript.Transcript) {
			kept := b.Client.Claims.KeyRetention()
			for op := range b.Repeated(t.In()) {
				n := len(op.Attempts)
				first, last := op.Attempts[0], lastOf(op)
				age := last.FirstByte.Sub(first.Committed)
				switch most := b.allowed(op); {
				case first.Key == "" || first.Effect == 0:
					b.NotTested("%s: the client sends no key", op.Case)
				case age <= kept && succeeded(last.Status):
					b.NotTested("%s: it was done before the key was forgotten", op.Case)
				case age <= kept && most > 0 && n >= most:
					b.NotTested("%s: its %s were used up before the key was forgotten", op.Case, count(most, "attempt"))
				default:
					b.within(op, "the last attempt, counted from the effect,", age, kept, dispatchSlack)
					if age <= kept {
						b.staysInDoubt(op)
					}
				}
			}
		},
	}
}
