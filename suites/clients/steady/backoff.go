package steady

import (
	"math"
	"math/rand/v2"
	"time"
)

// Backoff gives a client's own wait before a retry (from 1), after the wait before it (0 = there was none). It is never negative and
// never above the cap.
type Backoff func(p Policy, r *rand.Rand, retry int, last time.Duration) time.Duration

// FullJitter is U(0, c): the widest spread, so that clients which failed together come back apart.
func FullJitter(p Policy, r *rand.Rand, retry int, _ time.Duration) time.Duration {
	return between(r, 0, p.Ceiling(retry))
}

// EqualJitter is U(c/2, c): never a retry at once, for half the spread.
func EqualJitter(p Policy, r *rand.Rand, retry int, _ time.Duration) time.Duration {
	c := p.Ceiling(retry)
	return between(r, c/2, c)
}

// DecorrelatedJitter is min(cap, U(base, 3 x the last wait)): it grows from the wait that was really had.
func DecorrelatedJitter(p Policy, r *rand.Rand, _ int, last time.Duration) time.Duration {
	return min(p.Cap, between(r, p.Base, 3*max(last, p.Base)))
}

// Ceiling is c_k = min(cap, base x multiplier^(k-1)) for retry k, from 1. It does not overflow at any k.
func (p Policy) Ceiling(retry int) time.Duration {
	c := float64(p.Base) * math.Pow(p.Multiplier, float64(retry-1))
	if c >= float64(p.Cap) {
		return p.Cap
	}
	return time.Duration(c)
}

// between is uniform over both ends and everything between them.
func between(r *rand.Rand, low, high time.Duration) time.Duration {
	if high <= low {
		return low
	}
	return low + time.Duration(r.Int64N(int64(high-low)+1))
}
