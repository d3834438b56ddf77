package suites

import "github.com/brownout-dev/brownout/suites/transcript"

func hiddenRetries() Rule {
	return Rule{
		ID: "CX-04", Level: Must, Family: Connections, Profile: Safe,
		Says:   "hidden transport retries are counted, and can be switched off",
		Source: "Go net/http, Transport (a request is sent again if it is idempotent or has an Idempotency-Key, and the connection was used before); RFC 9110, 9.2.2",
		Under:  "reply-lost-on-a-kept-connection",
		Why:    "The policy says one attempt and the wire shows two: budgets, breakers and logs count half of the load, and a write is sent twice by a client that never retries.",
		Right:  "Know the transport's own retries. Switch them off (in Go: a request body without GetBody), or count them as attempts.",
		Holds: func(b *Bench, t transcript.Transcript) {
			warm := false
			for op := range b.Reached(t.In()) {
				allowed := b.allowed(op)
				switch {
				case allowed == 0:
					b.NotTested("%s: nobody knows how many attempts are meant: claim max_attempts", op.Case)
				case op.MissedWarm():
					b.NotTested("%s: the client did not keep its connection", op.Case)
				default:
					warm = warm || op.Warm
					b.Expect(op).To(BeSentAtMost(allowed))
				}
			}
			if !warm {
				b.Vacuous("no operation travelled on a kept connection: %s", firstOf(b.unseen))
			}
		},
	}
}

func firstOf(reasons []string) string {
	if len(reasons) == 0 {
		return "the client keeps none"
	}
	return reasons[0]
}
