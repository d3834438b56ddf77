package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/transcript"
)

func lostReply() Rule {
	return Rule{
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
	}
}
