package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func onlyWholeSuccess() Rule {
	return Rule{
		ID: "OC-01", Level: Must, Family: Outcomes, Profile: Basic,
		Says:   "the caller is told ok only after a whole 2xx",
		Source: "RFC 9110, 15.3; RFC 9112, 8",
		Under:  "no-whole-success",
		Why:    "The order page says thank you, and there is no order. Nothing is retried and nothing rings, since nothing failed.",
		Right:  "Success is a status of 2xx and a body that came to its end. Everything else is an error, with the status if there was one.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				b.Expect(op).To(EndIn(drive.Failed, drive.Unknown, drive.Error))
			}
		},
	}
}
