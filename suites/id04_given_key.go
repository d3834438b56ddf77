package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func givenKey() Rule {
	return Rule{
		ID: "ID-04", Level: Must, Family: Idempotency, Profile: Safe,
		Says:   "a key that the caller hands over is used as it is",
		Source: "Stripe API, Idempotent requests; draft-ietf-httpapi-idempotency-key-header, 2",
		Under:  "key-handed-over",
		Needs:  drive.IdempotencyKey,
		Why:    "The caller kept its key to be able to ask again after a crash. The client sent another, and the second run of the job pays a second time.",
		Right:  "If the caller gives a key, send it, byte for byte, on every attempt.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if keys := op.Keys(); len(keys) == 1 && keys[0] == "" && !b.Client.Has(drive.IdempotencyKey) {
					b.NotTested("%s: the client sends no key", op.Case)
					continue
				}
				b.Expect(op).To(useTheGivenKey())
			}
		},
	}
}

// useTheGivenKey holds also where the key stands in quotation marks, since that is how the draft writes it: the field is a String of
// Structured Fields (RFC 8941, 3.3.3), and what is between the marks is the caller's.
func useTheGivenKey() matcher {
	return matcher{
		needed: "the caller's key on every attempt",
		holds: func(op transcript.Op) bool {
			keys := op.Keys()
			return len(keys) == 1 && (keys[0] == op.KeyGiven || keys[0] == `"`+op.KeyGiven+`"`)
		},
		seen: func(op transcript.Op) string { return fmt.Sprintf("%.40q instead of %q", op.Keys(), op.KeyGiven) },
	}
}
