package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func keyFromTheFirst() Rule {
	return Rule{
		ID: "ID-01", Level: Should, Family: Idempotency, Profile: Safe,
		Says:   "a write that may be repeated carries an idempotency key from its first attempt on",
		Source: "draft-ietf-httpapi-idempotency-key-header, 2",
		Under:  "replies-lost-three-times",
		Needs:  drive.Retries,
		Why:    "The attempt that was applied is the one without a key, so the server cannot know the retry for what it is.",
		Right:  "Make the key before the first attempt, whether or not a retry will ever be needed.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if op.Attempts[0].Key == "" && len(op.Attempts) == 1 {
					b.NotTested("%s: the client sends no key, and did not repeat the write", op.Case)
					continue
				}
				b.Expect(op).To(CarryAKey())
			}
		},
	}
}
