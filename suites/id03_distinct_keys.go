package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func distinctKeys() Rule {
	return Rule{
		ID: "ID-03", Level: Must, Family: Idempotency, Profile: Safe,
		Says:   "different operations have different keys",
		Source: "draft-ietf-httpapi-idempotency-key-header, 2 (a key is not re-used with another request)",
		Under:  "many-writes-at-once",
		Needs:  drive.IdempotencyKey,
		Why:    "The second order is answered with the first one's receipt: it is never placed, and the customer is told that it was.",
		Right:  "At least 122 random bits for each operation: UUID version 4, from the system's generator, never from a clock or a counter or a seed.",
		Holds: func(b *Bench, t transcript.Transcript) {
			owner := map[string]transcript.Op{}
			for op := range b.Reached(t.In()) {
				key := op.Attempts[0].Key
				if why := notItsOwn(op); why != "" {
					b.NotTested("%s: %s", op.Case, why)
					continue
				}
				b.Expect(op).To(ownItsKey(owner[key]))
				owner[key] = op
			}
			b.Measure("keys", len(owner))
		},
	}
}

// ownItsKey holds for an operation whose first key no other operation had before.
func ownItsKey(other transcript.Op) matcher {
	return matcher{
		needed: "a key of its own",
		holds:  func(transcript.Op) bool { return other.ID == "" },
		seen: func(op transcript.Op) string {
			return fmt.Sprintf("the key %.40q, which %s had too", op.Attempts[0].Key, other.ID)
		},
	}
}

// notItsOwn tells why the first key of an operation says nothing of how the client makes keys; empty: it made it.
func notItsOwn(op transcript.Op) string {
	switch op.Attempts[0].Key {
	case "":
		return "the client sends no key"
	case op.KeyOffered:
		return "the client sends the key that it was offered, and makes none"
	}
	return ""
}
