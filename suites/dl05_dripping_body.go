package suites

import (
	"strings"

	"github.com/brownout-dev/brownout/suites/transcript"
)

func drippingBody() Rule {
	return Rule{
		ID: "DL-05", Level: Must, Family: Deadlines, Profile: Basic,
		Says:   "a body that drips cannot outlive the deadline",
		Source: "Requests documentation, Timeouts (a timeout is not a limit on the entire response download); RFC 9112, 6.3",
		Under:  "dripping-body",
		Why:    "A timeout that is only a pause between two bytes never fires while one byte comes in each: a single slow proxy holds a worker for hours.",
		Right:  "Bound the whole operation by the deadline, the body included, and cancel the read when it is reached.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if op.Case == "a read, compressed" && !strings.Contains(op.Attempts[0].Header.Get("Accept-Encoding"), "gzip") {
					b.NotTested("%s: the client accepts no gzip", op.Case)
					continue
				}
				b.endsInTime(op)
			}
		},
	}
}
