package suites

import (
	"fmt"
	"math"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func decorrelatedJitter() Rule {
	return Rule{
		ID: "BO-06", Level: May, Family: Backoff, Profile: Polite,
		Says:   "a client that claims decorrelated jitter draws each wait between the base and three times the wait before it",
		Source: "AWS Architecture Blog, Exponential Backoff And Jitter (sleep = min(cap, random_between(base, sleep * 3)))",
		Under:  "unavailable-for-ever",
		Needs:  drive.Retries,
		Why:    "The wait that was really had is what this kind grows from. Grown from the attempt's number instead, or drawn from zero, it is another kind with another load, and the plans made for this one are wrong.",
		Right:  "Keep the last wait of the operation, and begin with the base: sleep = min(cap, uniform(base, 3 * sleep)).",
		Holds: func(b *Bench, t transcript.Transcript) {
			if !b.claims(drive.DecorrelatedJitter) {
				return
			}
			var before, after []float64
			for op := range b.Repeated(t.In(unavailable)) {
				b.growsFromTheLast(op)
				base, limit := b.baseAndCap(op)
				for k, w := range op.Waits()[1:] {
					if last := op.Waits()[k]; limit == 0 || decorrelatedGrowth*last < limit {
						before, after = append(before, max(last, base).Seconds()), append(after, w.Seconds())
					}
				}
			}
			base, limit := b.Client.Claims.Base(), b.Client.Claims.Cap()
			switch {
			case b.expected == 0: // nothing was repeated
			case limit > 0 && limit < roomToFollow*base:
				b.NotTested("the claimed cap leaves the waits too little room to follow each other")
			default:
				b.goTogether(before, after)
			}
		},
	}
}

// growsFromTheLast expects each wait of an operation to lie between the base and three times the wait before it, or the cap.
func (b *Bench) growsFromTheLast(op transcript.Op) {
	base, limit := b.baseAndCap(op)
	b.Expect(op).To(WaitAtLeast(base))
	last := base
	for _, w := range op.Waits() {
		most := decorrelatedGrowth * max(last, base)
		if limit > 0 {
			most = min(most, limit)
		}
		b.Within(op, "every next attempt after", w, most)
		last = w
	}
}

// roomToFollow is how many times the base the cap must be, for first waits of any length to be followed by longer ones.
const roomToFollow = decorrelatedGrowth * decorrelatedGrowth

// leastTogether is the rank correlation that a wait must have with the wait before it. Drawn as claimed they have about 0.5, drawn each for
// itself none.
const leastTogether = 0.25

// goTogether expects long waits to follow long ones.
func (b *Bench) goTogether(before, after []float64) {
	n := len(before)
	if n < fewestForSpread {
		b.Vacuous("only %s below the cap: want %d to tell whether one grows from the other", count(n, "pair of wait"), fewestForSpread)
		return
	}
	b.expectsOfAll()
	rho := rankCorrelation(before, after)
	b.Measure("rank correlation of waits", fmt.Sprintf("%.2f", rho))
	needed := fmt.Sprintf("a rank correlation of %g or more between a wait and the one before it", leastTogether)
	seen := fmt.Sprintf("%.2f over %s", rho, count(n, "pair"))
	switch uncertain := confidence / math.Sqrt(float64(n-1)); {
	case rho+uncertain < leastTogether:
		b.breach(needed, seen)
	case rho < leastTogether:
		b.Doubt("needed %s; seen %s: too few to be sure", needed, seen)
	}
}
