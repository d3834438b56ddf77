package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func httpDate() Rule {
	return Rule{
		ID: "RA-02", Level: Must, Family: RetryAfter, Profile: Polite,
		Says:   "honours Retry-After as a date, to the second",
		Source: "RFC 9110, 10.2.3, 5.6.7",
		Under:  "unavailable-until-a-date",
		Needs:  drive.Retries,
		Why:    "A client that reads only numbers takes a date for no hint at all, and hammers exactly the servers that announced their maintenance.",
		Right:  "Try delay-seconds, then the HTTP-date forms; the wait is the date less now.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				// Three seconds ahead, cut to a whole second when it was written down.
				b.Expect(op).To(WaitAtLeast(2*time.Second, 429, 503))
			}
		},
	}
}
