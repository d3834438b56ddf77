package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func delaySeconds() Rule {
	return Rule{
		ID: "RA-01", Level: Must, Family: RetryAfter, Profile: Polite,
		Says:   "waits at least the seconds that the server asked for, or gives up",
		Source: "RFC 9110, 10.2.3; RFC 6585, 4",
		Under:  "unavailable-for-two-seconds",
		Needs:  drive.Retries,
		Why:    "The server said when it would be ready. Every earlier retry is turned away, counts against the limit, and with some providers lengthens the ban.",
		Right:  "Read Retry-After on 429 and 503, and take the larger of it and the own backoff; jitter goes on top, never below.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				b.Expect(op).To(WaitAtLeast(2*time.Second, 429, 503))
			}
		},
	}
}
