package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func equalJitter() Rule {
	return Rule{
		ID: "BO-05", Level: May, Family: Backoff, Profile: Polite,
		Says:   "a client that claims equal jitter, or a percentage, draws its waits evenly within the claimed bounds",
		Source: "AWS Architecture Blog, Exponential Backoff And Jitter (equal jitter); gRFC A6, Exponential Backoff (plus or minus 20 %)",
		Under:  "unavailable-for-ever",
		Needs:  drive.Retries,
		Why:    "The bounds are what others plan with: a lower one that is not kept hits a server that is not ready, and a spread that is smaller than claimed brings the herd back.",
		Right:  "ceiling/2 + random() * ceiling/2, or ceiling * (1 - p + random() * 2p); and a claim that says the same.",
		Holds: func(b *Bench, t transcript.Transcript) {
			if b.claims(drive.EqualJitter, drive.PercentJitter) {
				b.drawsEvenly(t.In(unavailable))
			}
		},
	}
}
