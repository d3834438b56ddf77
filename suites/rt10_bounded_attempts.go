package suites

import (
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
			most := 0
			for op := range b.Repeated(t.In()) {
				most = max(most, len(op.Attempts))
				switch allowed := b.allowed(op); {
				case allowed > 0:
					b.Expect(op).To(BeSent(allowed))
				case b.stoppedByDeadline(op):
					b.NotTested("the deadline ended the attempts, not a bound: claim max_attempts")
				default:
					b.expected++
				}
			}
			b.Measure("attempts", most)
		},
	}
}
