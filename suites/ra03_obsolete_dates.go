package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func obsoleteDates() Rule {
	return Rule{
		ID: "RA-03", Level: Should, Family: RetryAfter, Profile: Polite,
		Says:   "the obsolete forms of a date are understood, or at least do not mean now",
		Source: "RFC 9110, 5.6.7 (a recipient MUST accept all three forms)",
		Under:  "obsolete-dates",
		Needs:  drive.Retries,
		Why:    "An old proxy writes RFC 850 dates. A parser that gives up on them with zero turns its maintenance window into a flood.",
		Right:  "Parse IMF-fixdate, RFC 850 and asctime; whatever cannot be parsed is no hint, and the own backoff holds.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for _, c := range t.Cases() {
				b.waitsOut(t.In(c), 1, 2*time.Second) // understood, it is two seconds or more
			}
		},
	}
}
