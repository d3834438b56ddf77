package suites

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func backoff() []Rule {
	return []Rule{
		{
			ID: "BO-01", Level: Must, Family: Backoff, Profile: Polite,
			Says:   "waits grow from attempt to attempt",
			Source: "gRFC A6, Exponential Backoff; AWS Architecture Blog, Exponential Backoff And Jitter",
			Under:  "unavailable-for-ever",
			Needs:  drive.Retries,
			Why:    "At a constant pace, the load that broke the dependency is the load it must recover under.",
			Right:  "Double the ceiling of the wait after each attempt, up to a cap.",
			Holds: func(b *Bench, t transcript.Transcript) {
				first, last, k := firstAndLastWaits(slices.Collect(b.Repeated(t.In())))
				if k < 3 {
					if k > 0 {
						b.Vacuous("the client made only %s, too few to tell growth from chance", count(k, "wait"))
					}
					return
				}
				b.grows(first, last, k)
			},
		},
		{
			ID: "BO-03", Level: Must, Family: Backoff, Profile: Polite,
			Says:   "waits are randomised: identical clients do not retry in lock-step",
			Source: "AWS Architecture Blog, Exponential Backoff And Jitter; AWS Builders' Library, Timeouts, retries and backoff with jitter",
			Under:  "unavailable-once",
			Needs:  drive.Retries,
			Why:    "Ten thousand clients that failed together come back together, after one second, after three, after seven: each time in the moment in which the dependency tries to stand up.",
			Right:  "Full jitter: a wait drawn evenly between zero and the current ceiling.",
			Holds: func(b *Bench, t transcript.Transcript) {
				var waits []float64
				for op := range b.Repeated(t.In()) {
					waits = append(waits, op.Waits()[0].Seconds())
				}
				if len(waits) > 0 {
					b.spreads(waits)
				}
			},
		},
	}
}

// confidence is how many standard deviations a statistic must be on the wrong side before it is a finding: the chance that an honest
// client is there is below 1e-6.
const confidence = 4.9

// leastGrowth is by what factor the third or a later wait must exceed the first. Linear growth passes with room to spare.
const leastGrowth = 1.5

// firstAndLastWaits gives the first waits of all operations, and those of the highest number, up to the fourth, that all of them reached.
func firstAndLastWaits(ops []transcript.Op) (first, last []float64, k int) {
	k = 4
	for _, op := range ops {
		k = min(k, len(op.Waits()))
	}
	if len(ops) == 0 {
		return nil, nil, 0
	}
	for _, op := range ops {
		first = append(first, op.Waits()[0].Seconds())
		last = append(last, op.Waits()[k-1].Seconds())
	}
	return first, last, k
}

// grows expects the median of last to exceed that of first by leastGrowth. It fails where even the upper end of what the samples allow
// falls short, and doubts where only the measured value does.
func (b *Bench) grows(first, last []float64, k int) {
	b.expected++
	b.subject = transcript.Op{}
	from, to := median(first), median(last)
	b.Measure("median of wait 1", seconds(from))
	b.Measure(fmt.Sprintf("median of wait %d", k), seconds(to))
	needed := fmt.Sprintf("a wait %d of %g times wait 1, by the median", k, leastGrowth)
	seen := fmt.Sprintf("%s and %s over %s", seconds(from), seconds(to), count(len(first), "operation"))
	uncertain := math.Exp(confidence * math.Hypot(medianError(first), medianError(last)))
	short := to < leastGrowth*from
	switch usual := b.typical.Seconds(); {
	case short && from < buried*usual:
		b.Doubt("needed %s; seen %s, on a machine that is usually %s late", needed, seen, seconds(usual))
	case from <= 0 || to*uncertain < leastGrowth*from:
		b.breach(needed, seen)
	case short:
		b.Doubt("needed %s; seen %s: too few operations to be sure", needed, seen)
	}
}

// buried is how many times the machine's usual lateness a wait must be for its growth to show: what lateness adds to every wait makes
// them more alike.
const buried = 5

// Bounds of what counts as spread. Jitter of 10 % either way has a variation of 5.8 %, puts 5 % of the waits into any hundredth of the
// median, and its earliest quarter spans 5 % of itself; full jitter has 58 %, 0.5 % and nearly all of it.
const (
	leastVariation  = 0.05 // of first waits: deviation by mean
	mostTogether    = 0.30 // of first waits within a hundredth of the median of each other
	leastEarlySpan  = 0.01 // of the earliest quarter of first waits, by its end
	fewestForSpread = 12   // waits from which these shares can be told
)

// spreads expects waits to vary. A busy machine makes every wait a little longer, and so makes lock-step look like jitter: therefore the
// earliest quarter is looked at on its own, which lateness reaches least, and what the machine's usual lateness could have made is a doubt.
func (b *Bench) spreads(waits []float64) {
	b.expected++
	b.subject = transcript.Op{}
	n := len(waits)
	cv := deviation(waits) / mean(waits)
	together := mostWithin(waits, median(waits)/100)
	sorted := slices.Sorted(slices.Values(waits))
	quarter := sorted[n/4]
	early := quarter - sorted[0]
	b.Measure("variation of wait 1", fmt.Sprintf("%.1f %%", 100*cv))
	needed := fmt.Sprintf("first waits that vary by %.0f %% or more", 100*leastVariation)
	seen := fmt.Sprintf("%.1f %% over %s from %s to %s, %.0f %% of them within a hundredth of each other",
		100*cv, count(n, "operation"), seconds(sorted[0]), seconds(sorted[n-1]), 100*together)
	lowVariation := cv*(1+confidence/math.Sqrt(2*float64(n))) < leastVariation
	lockStep := n >= fewestForSpread && (together > mostTogether || early <= leastEarlySpan*quarter)
	switch {
	case math.IsNaN(cv) || lowVariation || lockStep:
		b.breach(needed, seen)
	case cv < leastVariation || n < fewestForSpread:
		b.Doubt("needed %s; seen %s: too few operations to be sure", needed, seen)
	case early <= b.typical.Seconds():
		b.Doubt("needed %s; seen %s, which this machine's lateness could have made", needed, seen)
	}
}

// backsOff expects the waits of operations, taken together, to be what the client's own backoff gives. With full jitter a single wait may
// be zero, so it is the sum that is judged: against the least that chance leaves of it, with a false alarm below 1e-6. A client that
// claims nothing is held to ten milliseconds a wait.
func (b *Bench) backsOff(ops []transcript.Op) {
	var sum, least, variance float64
	n := 0
	for op := range b.Repeated(ops) {
		b.subject = op
		for i, w := range op.Waits() {
			low, v := b.honest(i + 1)
			sum, least, variance, n = sum+w.Seconds(), least+low, variance+v, n+1
		}
	}
	if n == 0 {
		return
	}
	b.expected++
	floor := max(least-confidence*math.Sqrt(variance)-float64(n)*timerSlack.Seconds(), float64(n)*notAtOnce.Seconds())
	b.Measure("waits", count(n, "wait")+" of "+seconds(sum/float64(n))+" on average")
	if sum < floor {
		b.breach("the own backoff: "+seconds(floor)+" or more in all", seconds(sum)+" in "+count(n, "wait"))
	}
}

// What a wait must be where a client claims no backoff, and what no wait is on average under any claim: shorter is "at once".
const (
	unclaimedFloor = 10 * time.Millisecond
	notAtOnce      = time.Millisecond
)

// honest gives mean and variance, in seconds, of the k-th wait of a client that does what it claims.
func (b *Bench) honest(k int) (mean, variance float64) {
	claims := b.Client.Claims
	if claims.BaseMS == 0 {
		return unclaimedFloor.Seconds(), 0
	}
	multiplier := claims.Multiplier
	if multiplier == 0 {
		multiplier = 2
	}
	ceiling := claims.Base().Seconds() * math.Pow(multiplier, float64(k-1))
	if limit := claims.Cap().Seconds(); limit > 0 {
		ceiling = min(ceiling, limit)
	}
	even := func(from, to float64) (float64, float64) { return (from + to) / 2, (to - from) * (to - from) / 12 }
	switch claims.Jitter {
	case drive.NoJitter:
		return even(ceiling, ceiling)
	case drive.EqualJitter:
		return even(ceiling/2, ceiling)
	case drive.PercentJitter:
		p := claims.JitterPercent / 100
		return even(ceiling*(1-p), ceiling*(1+p))
	case drive.DecorrelatedJitter:
		return claims.Base().Seconds(), 0 // never below the base
	}
	return even(0, ceiling)
}

func seconds(s float64) string { return show(time.Duration(s * float64(time.Second))) }
