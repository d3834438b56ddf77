package suites

import "github.com/brownout-dev/brownout/suites/transcript"

func repeatedSuccess() Rule {
	return Rule{
		ID: "RT-11", Level: MustNot, Family: Retrying, Profile: Safe,
		Says:   "a success is never repeated",
		Source: "RFC 9110, 9.2.2; gRFC A6, Summary of Retry and Hedging Logic",
		Under:  "success-then-close",
		Why:    "The reply was whole, and then the connection closed. A client that takes the close for a failure does everything twice, on a sound network.",
		Right:  "A reply is over when its framing says so (RFC 9112, 6.3). What the connection does afterwards is no part of it.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if status := op.Attempts[0].Status; !succeeded(status) {
					b.NotTested("%s: the first attempt was answered %d", op.Case, status)
					continue
				}
				b.Expect(op).To(BeSentOnce())
			}
		},
	}
}
