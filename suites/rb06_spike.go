package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// backToNormal is how soon after the end of a spike the load must be carried again.
const backToNormal = 2 * time.Second

func spikeEnds() Rule {
	return Rule{
		ID: "RB-06", Level: Should, Family: Budgets, Profile: Polite,
		Says:   "load returns to normal after a spike: retries do not keep an overload alive",
		Source: "Google SRE Book, 22 (cascading failures outlive their trigger); Metastable Failures in Distributed Systems (HotOS 2021)",
		Under:  "spike-above-capacity",
		Needs:  drive.Budget, Declared: true, Lasting: true,
		Why: "The spike is over, and the overload is not: what was turned away comes again, and keeps out what is new, which comes again. It ends " +
			"when somebody switches the clients off.",
		Right: "A retry budget: it makes of an overload of 40 % one of 50 %, not one of 300 %, and so leaves room to recover when the spike ends.",
		Holds: func(b *Bench, t transcript.Transcript) {
			after := t.In("after the spike")
			if len(after) == 0 || t.Capacity == 0 {
				b.NotTested("there was no time after a spike")
				return
			}
			if !slices.ContainsFunc(t.In("spike"), func(op transcript.Op) bool { return len(op.Attempts) > 1 }) {
				b.Vacuous("the client was not seen to retry in the spike")
			}
			over := after[0].Began
			took := carried(t, over)
			b.Measure("load carried again after", show(took))
			b.expectsOfAll()
			switch floor := b.rate().MinPerSecond; {
			case took <= backToNormal:
			case took-backToNormal <= transcript.Starved*b.doubt:
				b.Doubt("the load came back to normal %s after the spike, and the machine itself was up to %s late", show(took), show(b.doubt))
			case floor > largestFloor:
				b.NotTested("the load came back to normal %s after the spike; but of a play as small as this, the floor of %g retries a second is a large part%s", show(took), floor, b.unclaimedBudget())
				b.expected = 0
			default:
				b.breach(fmt.Sprintf("a second with no more than the %d requests that are served, beginning within %s of the spike's end", t.Capacity, show(backToNormal)),
					fmt.Sprintf("the first one %s after it", show(took)))
			}
		},
	}
}

// largestFloor is the most that a budget may allow, whatever is asked for, to say nothing in a play of some tens of requests a second: a tenth of what is served.
const largestFloor = 2.5

// carried is how long after a moment the first second begins in which no more requests came than are served.
func carried(t transcript.Transcript, since clock.Moment) time.Duration {
	var came []clock.Moment
	for _, a := range t.Record.Attempts {
		if a.FirstByte >= since {
			came = append(came, a.FirstByte)
		}
	}
	slices.Sort(came)
	begins := since
	for i := range came {
		// Those from i on are not carried if one more than can be served comes within a second.
		if i+t.Capacity >= len(came) || came[i+t.Capacity].Sub(begins) >= time.Second {
			break
		}
		begins = came[i] + 1
	}
	return begins.Sub(since)
}
