package suites

import (
	"github.com/onsi/gomega"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func boundedAttempts() Rule {
	return Rule{
		ID: "RT-10", Level: Must, Family: Retrying, Profile: Basic,
		Says:   "attempts are bounded, and the bound means what it says",
		Source: "gRFC A6, Maximum Number of Retries (maxAttempts includes the original); Google SRE Book, 21 (a per-request retry budget of up to three attempts)",
		Under:  "unavailable-for-ever",
		Needs:  drive.Retries,
		Why:    "A knob that says 3 and makes 4 attempts adds a third to the load of every outage; one without a bound never lets the dependency recover.",
		Right:  "Count attempts, not retries, and name the setting for what it counts. After the last one, hand its reply to the caller.",
		Holds: func(b *Bench, t transcript.Transcript) {
			var busiest transcript.Op
			for op := range b.Repeated(t.In()) {
				if allowed := b.allowed(op); allowed > 0 {
					b.Expect(op).To(BeSentAtMost(allowed))
				}
				if len(op.Attempts) > len(busiest.Attempts) {
					busiest = op
				}
			}
			if len(busiest.Attempts) == 0 {
				return
			}
			b.Measure("attempts", len(busiest.Attempts))
			switch allowed := b.allowed(busiest); {
			case len(busiest.Attempts) < allowed && (b.Client.Has(drive.Budget) || b.Client.Has(drive.Breaker)):
				b.Vacuous("a budget or a breaker ended the attempts, after %d, and not the bound", len(busiest.Attempts))
			case b.outOfTime(busiest):
				b.Vacuous("time ended the attempts, after %d, and not a bound%s", len(busiest.Attempts), unclaimed(allowed))
			case allowed > 0: // a budget may cut some operations short, but one at least has to get what was claimed
				b.Expect(busiest).To(BeSent(allowed))
			default:
				b.Expect(busiest.Outcome).NotTo(gomega.Equal(drive.OK))
			}
		},
	}
}

func unclaimed(allowed int) string {
	if allowed > 0 {
		return ""
	}
	return ": claim max_attempts"
}
