package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func savedError() Rule {
	return Rule{
		ID: "ID-10", Level: MustNot, Family: Idempotency, Profile: Safe,
		Says:   "an error that was saved with the key is not escaped with a new key, nor reported as not applied",
		Source: "Stripe API, Idempotent requests (the first status and body are saved, those of a 500 too)",
		Under:  "error-saved-with-the-key",
		Needs:  drive.IdempotencyKey,
		Why:    "The payment was made, and then the server crashed and remembered its 500. With the old key it says so for ever; with a new one it pays a second time, and looks healthy.",
		Right:  "Keep the key. Say unknown, and find out by the look-up that the API documents, by reference and not by trying.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				switch {
				case op.Attempts[0].Key == "":
					b.NotTested("%s: the client sends no key", op.Case)
				case answeredFirst(op, 500, 502) < 0:
					b.NotTested("%s: the client did not come back for the error", op.Case)
				default:
					b.Expect(op).To(UseOneKey())
					b.Expect(op).To(ApplyAtMostOnce())
					b.staysInDoubt(op)
				}
			}
		},
	}
}
