package mutants

import (
	"math/rand/v2"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// jitterClaims are the mutants that spread their waits, and otherwise than they say.
func jitterClaims() []Mutant {
	return []Mutant{
		{
			Name:   "claims-full-is-equal",
			Defect: "claims full jitter, and never waits less than half of its ceiling",
			Trips:  []string{"BO-04"},
			Policy: backingOff(steady.EqualJitter),
		},
		{
			Name:   "floor-under-full-jitter",
			Defect: "claims full jitter, and never waits less than a third of its ceiling",
			Trips:  []string{"BO-04"},
			Policy: backingOff(parts(1./3, 1)),
		},
		{
			Name:   "short-full-jitter",
			Defect: "claims full jitter, and draws up to nine tenths of its ceiling",
			Trips:  []string{"BO-04"},
			Policy: backingOff(parts(0, 0.9)),
		},
		{
			Name:   "long-full-jitter",
			Defect: "claims full jitter, and draws up to half more than its ceiling",
			Trips:  []string{"BO-02", "BO-04"},
			Policy: backingOff(parts(0, 1.5)),
		},
		{
			Name:   "claims-equal-is-full",
			Defect: "claims equal jitter, and draws from zero",
			Trips:  []string{"RA-04", "RA-05", "RA-06", "RA-10", "BO-05", "BO-08"},
			Policy: backingOff(steady.FullJitter),
			Hello:  claimJitter(drive.EqualJitter),
		},
		{
			Name:   "a-little-below-equal-jitter",
			Defect: "claims equal jitter, and draws from 45 % of its ceiling",
			Trips:  []string{"BO-05"},
			Policy: backingOff(parts(0.45, 1)),
			Hello:  claimJitter(drive.EqualJitter),
		},
		{
			Name:   "half-the-claimed-percentage",
			Defect: "claims to spread its waits by a fifth either way, and spreads them by a tenth",
			Trips:  []string{"BO-05"},
			Policy: backingOff(parts(0.9, 1.1)),
			Hello:  claimAFifth,
		},
		{
			Name:   "twice-the-claimed-percentage",
			Defect: "claims to spread its waits by a fifth either way, and spreads them by two fifths",
			Trips:  []string{"BO-05"},
			Policy: backingOff(parts(0.6, 1.4)),
			Hello:  claimAFifth,
		},
		{
			Name:   "only-above-the-ceiling",
			Defect: "claims to spread its waits by a fifth either way, and never waits less than the ceiling",
			Trips:  []string{"BO-05"},
			Policy: backingOff(parts(1, 1.2)),
			Hello:  claimAFifth,
		},
		{
			Name:   "claims-decorrelated-is-full",
			Defect: "claims decorrelated jitter, and draws from zero to a ceiling that doubles",
			Trips:  []string{"RA-06", "BO-06"},
			Policy: backingOff(steady.FullJitter),
			Hello:  claimJitter(drive.DecorrelatedJitter),
		},
		{
			Name:   "decorrelated-from-the-base",
			Defect: "claims decorrelated jitter, and draws every wait from the base instead of from the wait before it",
			Trips:  []string{"BO-01", "BO-06"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, _ int, _ time.Duration) time.Duration {
				return steady.DecorrelatedJitter(p, r, 1, 0)
			}),
			Hello: claimJitter(drive.DecorrelatedJitter),
		},
		{
			Name:   "decorrelated-by-the-attempt",
			Defect: "claims decorrelated jitter, and triples its ceiling with each attempt, whatever it waited",
			Trips:  []string{"BO-06"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, _ time.Duration) time.Duration {
				p.Multiplier = 3
				return steady.DecorrelatedJitter(p, r, retry, p.Ceiling(retry))
			}),
			Hello: claimJitter(drive.DecorrelatedJitter),
		},
	}
}

// parts draws evenly between two parts of the ceiling.
func parts(from, to float64) steady.Backoff {
	return func(p steady.Policy, r *rand.Rand, retry int, _ time.Duration) time.Duration {
		return time.Duration(float64(p.Ceiling(retry)) * (from + (to-from)*r.Float64()))
	}
}

func claimAFifth(h drive.Hello) drive.Hello {
	h.Claims.Jitter, h.Claims.JitterPercent = drive.PercentJitter, 20
	return h
}
