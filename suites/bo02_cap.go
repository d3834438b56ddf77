package suites

import (
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// What waits may be beyond the cap: jitter that is claimed in percent goes on top of it, and where nothing is said of jitter it may be the 20 % of
// gRFC A6. Of all waits that go further, by however little, a machine makes a few; more than oftenOver is the client's own doing.
const (
	overCap   = 0.2
	oftenOver = 0.1
)

func cappedWaits() Rule {
	return Rule{
		ID: "BO-02", Level: Must, Family: Backoff, Profile: Polite,
		Says:   "waits are capped",
		Source: "gRFC A6, Exponential Backoff (maxBackoff)",
		Under:  "unavailable-with-a-low-cap",
		Needs:  drive.PolicyPerCall,
		Why:    "Ten doublings later the client waits for minutes, and goes on waiting long after the dependency is back.",
		Right:  "The ceiling of a wait is the smaller of the cap and the doubled base.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				for _, w := range b.ownWaits(op) {
					b.Within(op, "every next attempt after", w, b.mostAtCap(op))
				}
			}
			b.seldomOver(t.In())
		},
	}
}

// mostAtCap is the longest that a wait at the cap may be.
func (b *Bench) mostAtCap(op transcript.Op) time.Duration {
	over := 0.0
	switch b.Client.Claims.Jitter {
	case "":
		over = overCap
	case drive.PercentJitter:
		over = b.Client.Claims.JitterPercent / 100
	}
	return time.Duration((1 + over) * float64(op.Cap))
}

// seldomOver expects hardly any wait to be longer than the cap allows, also by less than what is tolerated of a single one.
func (b *Bench) seldomOver(ops []transcript.Op) {
	usual := max(b.typical, dispatchSlack)
	over := func(late time.Duration) (share float64) {
		n, of := 0, 0
		for _, op := range ops {
			for _, w := range b.ownWaits(op) {
				if of++; w > b.mostAtCap(op)+late {
					n++
				}
			}
		}
		return float64(n) / float64(max(1, of))
	}
	b.subject = transcript.Op{}
	needed, seen := "waits within the cap", fmt.Sprintf("%.0f %% of them beyond it", 100*over(usual))
	switch {
	case over(max(transcript.Starved*b.doubt, usual)) > oftenOver:
		b.breach(needed, seen)
	case over(usual) > oftenOver:
		b.Doubt("needed %s; seen %s, which this machine's lateness could have made", needed, seen)
	}
}

// ownWaits are the waits before a breaker of the client can have opened: from then on attempts that it refused may lie between two that came.
func (b *Bench) ownWaits(op transcript.Op) []time.Duration {
	waits := op.Waits()
	if b.Client.Has(drive.Breaker) {
		waits = waits[:min(len(waits), max(0, b.Client.Claims.Breaker.Threshold-1))]
	}
	return waits
}
