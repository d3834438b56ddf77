package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func idempotency() []Rule {
	return []Rule{
		{
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
		},
		{
			ID: "ID-02", Level: Must, Family: Idempotency, Profile: Safe,
			Says:   "one key per operation, the same on every attempt",
			Source: "draft-ietf-httpapi-idempotency-key-header, 2; Stripe API, Idempotent requests",
			Under:  "replies-lost-three-times",
			Needs:  drive.IdempotencyKey,
			Why:    "A key made inside the retry loop is no key at all, and the code looks right because it uses idempotency keys: of 100 payments with four replies in ten lost, 173 are booked.",
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
		},
		{
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
					if key == "" {
						b.NotTested("%s: the client sends no key", op.Case)
						continue
					}
					b.Expect(op).To(ownItsKey(owner[key]))
					owner[key] = op
				}
				b.Measure("keys", len(owner))
			},
		},
		{
			ID: "ID-05", Level: Must, Family: Idempotency, Profile: Safe,
			Says:   "a lost reply never doubles an effect, and no caller is told what the ledger proves false",
			Source: "RFC 9110, 9.2.2; Stripe API, Idempotent requests",
			Under:  "replies-lost-at-random",
			Why:    "Replies are lost every day: in deploys, in failovers, in trains. Each loss becomes a double charge, or a charge that the shop believes never happened.",
			Right:  "A stable key and the same payload on every attempt; and where no key is taken, no second attempt. Say unknown when you do not know.",
			Holds: func(b *Bench, t transcript.Transcript) {
				applied := 0
				for op := range b.Reached(t.In()) {
					b.Expect(op).To(ApplyAtMostOnce())
					b.Expect(op).To(TellTheTruth())
					applied += len(op.Effects)
				}
				b.Measure("effects", fmt.Sprintf("%d of %s", applied, count(len(t.Operations), "operation")))
			},
		},
		{
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
