package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func pastDate() Rule {
	return Rule{
		ID: "RA-04", Level: Must, Family: RetryAfter, Profile: Polite,
		Says:   "a date in the past means now: the own backoff applies, no negative timer and no hot loop",
		Source: "RFC 9110, 10.2.3",
		Under:  "retry-date-in-the-past",
		Needs:  drive.Retries,
		Why:    "Clocks differ by seconds, so dates in the past are ordinary. A negative wait returns at once: thousands of requests a second from one client.",
		Right:  "A hint of zero or less is no hint: wait the own backoff.",
		Holds: func(b *Bench, t transcript.Transcript) {
			b.comesBack(t.In())
			b.backsOff(t.In())
		},
	}
}
