package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func blindRetry() Rule {
	return Rule{
		ID: "RT-08", Level: MustNot, Family: Retrying, Profile: Safe,
		Says:   "a write without a key is not repeated once it may have reached the server",
		Source: "RFC 9110, 9.2.2 (a client SHOULD NOT, a proxy MUST NOT)",
		Under:  "reply-lost-on-an-unkeyed-write",
		Why:    "The connection broke after the payment was booked. The retry books it again: two payments, two parcels, two e-mails, and a log that shows one success.",
		Right:  "After the first byte is sent, a POST or PATCH without a key gets no second attempt from any layer, the transport included. Tell the caller that the outcome is unknown.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if op.MissedWarm() {
					b.NotTested("%s: the client did not keep its connection", op.Case)
					continue
				}
				b.Expect(op).To(BeSentOnce())
				b.Expect(op).To(ApplyAtMostOnce())
				if !succeeded(op.Attempts[0].Status) { // half a success may be told in other ways; OC-01 is about that
					b.Expect(op).To(EndIn(drive.Unknown, drive.Error))
				}
			}
		},
	}
}
