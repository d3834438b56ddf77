package suites

import (
	"math"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// backsOff expects the waits of operations, taken together, to be what the client's own backoff gives. With full jitter a single wait may
// be zero, so it is the sum that is judged: against the least that chance leaves of it, with a false alarm below 1e-6. A client that
// claims nothing is held to ten milliseconds a wait.
func (b *Bench) backsOff(ops []transcript.Op) {
	var sum, least, variance float64
	n := 0
	for op := range b.Repeated(ops) {
		b.about(op)
		for i, w := range op.Waits() {
			low, v := b.honest(op, i+1)
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

// ceiling is the longest that an operation's k-th wait may be, by the policy that was asked for or else by the client's claims; 0 where
// neither names a base. Growth that is not claimed is not expected.
func (b *Bench) ceiling(op transcript.Op, k int) time.Duration {
	claims := b.Client.Claims
	base, limit := claims.Base(), claims.Cap()
	if op.Base > 0 {
		base, limit = time.Duration(op.Base), time.Duration(op.Cap)
	}
	c := base.Seconds() * math.Pow(max(claims.Multiplier, 1), float64(k-1))
	if limit > 0 {
		c = min(c, limit.Seconds())
	}
	return time.Duration(min(c, maxWait.Seconds()) * float64(time.Second))
}

// maxWait keeps what is computed from claims within what a Duration holds.
const maxWait = 1000 * time.Hour

// honest gives mean and variance, in seconds, of the k-th wait of a client that does what it claims.
func (b *Bench) honest(op transcript.Op, k int) (mean, variance float64) {
	claims := b.Client.Claims
	ceiling := b.ceiling(op, k).Seconds()
	if ceiling == 0 {
		return unclaimedFloor.Seconds(), 0
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
		return b.ceiling(op, 1).Seconds(), 0 // never below the base
	}
	return even(0, ceiling)
}
