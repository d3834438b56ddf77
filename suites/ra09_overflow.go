package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func overflowingHint() Rule {
	return Rule{
		ID: "RA-09", Level: Must, Family: RetryAfter, Profile: Polite,
		Says:   "a value that overflows is a huge one, never a negative one or none",
		Source: "RFC 9110, 10.2.3 (no upper limit)",
		Under:  "overflowing-retry-after",
		Needs:  drive.Retries,
		Why:    "Seconds times a thousand, or times a thousand million, wrap around to a negative wait, and a timer that is negative fires at once.",
		Right:  "Compare with the time left before multiplying; what does not fit into a number does not fit into the deadline.",
		Holds: func(b *Bench, t transcript.Transcript) {
			b.endsWithItsHint(t.In())
		},
	}
}
