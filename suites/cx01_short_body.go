package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func shortBody() Rule {
	return Rule{
		ID: "CX-01", Level: Must, Family: Connections, Profile: Basic,
		Says:   "a body shorter than its Content-Length is an error, never a success",
		Source: "RFC 9112, 8 and 6.3",
		Under:  "short-reply",
		Why:    "Half a list of orders is taken for all of them, and what is missing is deleted, refunded or never shipped.",
		Right:  "Compare the bytes read with the length declared; an early end is a failed attempt, whatever the status said.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				b.Expect(op).To(EndIn(drive.Failed, drive.Unknown, drive.Error))
			}
		},
	}
}
