package suites

import (
	"fmt"
	"math"
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/sample"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func growingWaits() Rule {
	return Rule{
		ID: "BO-01", Level: Must, Family: Backoff, Profile: Polite,
		Says:   "waits grow from attempt to attempt",
		Source: "gRFC A6, Exponential Backoff; AWS Architecture Blog, Exponential Backoff And Jitter",
		Under:  "unavailable-for-ever",
		Needs:  drive.Retries,
		Why:    "At a constant pace, the load that broke the dependency is the load it must recover under.",
		Right:  "Double the ceiling of the wait after each attempt, up to a cap.",
		Holds: func(b *Bench, t transcript.Transcript) {
			first, last, k := firstAndLastWaits(slices.Collect(b.Repeated(t.In(unavailable))))
			claims := b.Client.Claims
			switch {
			case k == 0: // nothing was repeated
			case k < fewestWaits:
				b.Vacuous("the client made only %s, too few to tell growth from chance", count(k, "wait"))
			case claims.CapMS > 0 && float64(claims.CapMS) < roomToGrow(claims.Jitter)*float64(claims.BaseMS):
				b.Vacuous("the claimed cap leaves the claimed base no room to grow")
			case claims.Multiplier > 1 && math.Pow(claims.Multiplier, float64(k-1)) < 2*leastGrowth:
				b.Vacuous("the claimed multiplier makes too little growth in %s to tell it from chance", count(k, "wait"))
			default:
				b.grows(first, last, k)
			}
		},
	}
}

// leastGrowth is by what factor the third or a later wait must exceed the first. Linear growth passes with room to spare.
const leastGrowth = 1.5

// Which waits are compared with the first: the fourth, or the third where fewer than fewestOperations reached a fourth.
const (
	fewestWaits      = 3
	mostWaits        = 4
	fewestOperations = 4
)

// firstAndLastWaits gives the first and the k-th waits of the operations that had as many, for the largest k up to mostWaits that enough
// operations reached: a budget may have cut the others short.
func firstAndLastWaits(ops []transcript.Op) (first, last []float64, k int) {
	for k = mostWaits; k > 0; k-- {
		first, last = nil, nil
		for _, op := range ops {
			if waits := op.Waits(); len(waits) >= k {
				first = append(first, waits[0].Seconds())
				last = append(last, waits[k-1].Seconds())
			}
		}
		if len(first) >= min(fewestOperations, max(1, len(ops))) {
			return first, last, k
		}
	}
	return nil, nil, 0
}

// grows expects the mean of last to exceed that of first by leastGrowth. It fails where even the upper end of what the samples allow
// falls short, and doubts where only the measured value does.
func (b *Bench) grows(first, last []float64, k int) {
	b.expectsOfAll()
	from, to := sample.Mean(first), sample.Mean(last)
	b.Measure("wait 1", seconds(from))
	b.Measure(fmt.Sprintf("wait %d", k), seconds(to))
	needed := fmt.Sprintf("a wait %d of %g times wait 1, on average", k, leastGrowth)
	seen := fmt.Sprintf("%s and %s over %s", seconds(from), seconds(to), count(len(first), "operation"))
	uncertain := uncertainty(meanError(first), meanError(last))
	short := to < leastGrowth*from
	switch usual := b.typical.Seconds(); {
	case short && from < buried*usual:
		b.Doubt("needed %s; seen %s, on a machine that is usually %s late", needed, seen, seconds(usual))
	case to <= 0 || to*uncertain < leastGrowth*from: // from nothing to something is growth; that a first wait is none, is for BO-03
		b.breach(needed, seen)
	case short:
		b.Doubt("needed %s; seen %s: too few operations to be sure", needed, seen)
	}
}

// buried is how many times the machine's usual lateness a wait must be for its growth to show: what lateness adds to every wait makes
// them more alike.
const buried = 5

// roomToGrow is how many times the base the cap must be for growth to show. Decorrelated jitter begins with up to three times the base.
func roomToGrow(j drive.Jitter) float64 {
	if j == drive.DecorrelatedJitter {
		return 6
	}
	return leastGrowth
}

// unavailable is the case of many operations that waits are judged by. In the others of its scenario only attempts are counted: some clients wait
// longer after a 429 than after a 503.
const unavailable = "unavailable"
