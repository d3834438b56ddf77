package suites

import (
	"math"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func longerOwnWait() Rule {
	return Rule{
		ID: "RA-10", Level: Should, Family: RetryAfter, Profile: Polite,
		Says:   "waits for the larger of the hint and the own backoff",
		Source: "RFC 9110, 10.2.3 (the hint is a minimum); AWS Builders' Library, Timeouts, retries and backoff with jitter; curl, pull request 12871",
		Under:  "asks-for-a-second-each-time",
		Needs:  drive.Retries,
		Why:    "A gateway that puts Retry-After: 1 on every 503 is meant to slow clients down. In a client that takes it instead of its backoff, it does the opposite: however long the outage lasts, everybody is back each second.",
		Right:  "Go on doubling, and take the hint where it is longer: max(hint, own wait), with the jitter on top.",
		Holds: func(b *Bench, t transcript.Transcript) {
			b.growsPast(time.Second, t.In())
		},
	}
}

// plainlyLonger is how many times the hint an own wait may become for the difference between both to show.
const plainlyLonger = 2

// growsPast expects the waits after a hint, those together that the own backoff makes plainly longer, to be no less than the larger of both gives. The sum is
// judged, against the least that chance leaves of it: with jitter, a single wait may well be no longer than the hint.
func (b *Bench) growsPast(hint time.Duration, ops []transcript.Op) {
	var sum, honest, variance float64
	n := 0
	for op := range b.Repeated(ops) {
		for i, w := range op.Waits() {
			own, claimed := b.drawn(op, i+1)
			if !claimed || own.to < plainlyLonger*hint.Seconds() {
				continue
			}
			b.about(op)
			m, v := own.raised(hint.Seconds())
			sum, honest, variance, n = sum+w.Seconds(), honest+m, variance+v, n+1
		}
	}
	floor := honest - confidence*math.Sqrt(variance) - float64(n)*transcript.TimerSlack.Seconds()
	if alone := float64(n) * hint.Seconds(); floor <= alone {
		b.Vacuous("too few of the client's own waits, by what it claims, are plainly longer than the hint of %s", show(hint))
		return
	}
	b.expectsOfAll()
	b.Measure("waits", count(n, "wait")+" of "+seconds(sum/float64(n))+" on average, after a hint of "+show(hint))
	if sum < floor {
		b.breach("the larger of hint and own backoff: "+seconds(floor)+" or more in all", seconds(sum)+" in "+count(n, "wait"))
	}
}
