package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func stablePayload() Rule {
	return Rule{
		ID: "ID-07", Level: Must, Family: Idempotency, Profile: Safe,
		Says:   "the payload is stable for a key",
		Source: "draft-ietf-httpapi-idempotency-key-header, 2, Error Handling (422)",
		Under:  "replies-lost-three-times",
		Needs:  drive.IdempotencyKey,
		Why:    "A timestamp or an attempt counter in the body makes every retry another request: the server answers 422, and an order that was placed is reported as failed.",
		Right:  "Serialise once, before the first attempt, and send those bytes each time.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				if op.Attempts[0].Key != "" {
					b.Expect(op).To(keepItsPayload())
				}
			}
		},
	}
}

// keepItsPayload holds for an operation whose attempts with one key all have one canonical payload.
func keepItsPayload() matcher {
	changed := func(op transcript.Op) (journal.Attempt, bool) {
		payloads := map[string]string{}
		for _, a := range op.Attempts {
			if a.Fingerprint == "" || a.Key == "" {
				continue
			}
			if was, ok := payloads[a.Key]; ok && was != a.Fingerprint {
				return a, true
			}
			payloads[a.Key] = a.Fingerprint
		}
		return journal.Attempt{}, false
	}
	return matcher{
		needed: "the same payload for the same key",
		holds:  func(op transcript.Op) bool { _, is := changed(op); return !is },
		seen: func(op transcript.Op) string {
			a, _ := changed(op)
			return fmt.Sprintf("another payload on attempt %d, answered %d", a.Try, a.Status)
		},
	}
}
