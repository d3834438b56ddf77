package mutants

import (
	"math/rand/v2"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// Those that do not grow draw from half their ceiling up: with full jitter, it takes many more waits than a scenario gives to be sure of it.
func backoff() []Mutant {
	return []Mutant{
		{
			Name:   "constant-waits",
			Defect: "waits as long before its last attempt as before its second, and says so",
			Trips:  []string{"BO-01"},
			Policy: all(multiplier(1), backingOff(steady.EqualJitter)),
			Hello:  claiming(func(c *drive.Claims) { c.Multiplier, c.Jitter = 1, drive.EqualJitter }),
		},
		{
			Name:   "first-retry-at-once",
			Defect: "comes back at once the first time, and waits with full jitter from then on",
			Trips:  []string{"RA-06", "BO-03"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				if retry == 1 {
					return 0
				}
				return steady.FullJitter(p, r, retry-1, last)
			}),
			Hello: silentOnBackoff,
		},
		{
			Name:   "claims-to-double",
			Defect: "says that its waits double, and keeps them the same",
			Trips:  []string{"RA-04", "RA-05", "RA-10", "BO-01", "BO-05", "BO-08"},
			Policy: all(multiplier(1), backingOff(steady.EqualJitter)),
			Hello:  claimJitter(drive.EqualJitter),
		},
		{
			Name:   "shrinking-waits",
			Defect: "halves its waits from attempt to attempt",
			Trips:  []string{"BO-01", "BO-08"},
			Policy: multiplier(0.5),
			Hello:  silentOnBackoff,
		},
		{
			Name:   "starts-over",
			Defect: "goes back to its first wait after the second",
			Trips:  []string{"BO-01"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				return steady.EqualJitter(p, r, (retry-1)%2+1, last)
			}),
			Hello: silentOnBackoff,
		},
		{
			Name:   "no-jitter",
			Defect: "waits exactly 100, 200 and 400 ms",
			Trips:  []string{"BO-03", "BO-04", "BO-07"},
			Policy: backingOff(ceiling),
		},
		{
			Name:   "one-percent-of-jitter",
			Defect: "spreads its waits by one percent",
			Trips:  []string{"BO-03", "BO-04", "BO-07"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, _ time.Duration) time.Duration {
				return time.Duration(float64(p.Ceiling(retry)) * (0.99 + 0.02*r.Float64()))
			}),
		},
		{
			Name:   "one-seed-for-all",
			Defect: "seeds its jitter alike for every operation",
			Trips:  []string{"BO-03"},
			Policy: backingOff(func(p steady.Policy, _ *rand.Rand, retry int, last time.Duration) time.Duration {
				return steady.FullJitter(p, rand.New(rand.NewPCG(1, uint64(retry))), retry, last)
			}),
			Hello: silentOnBackoff,
		},
		{
			Name:   "jitter-from-the-second-wait-on",
			Defect: "spreads every wait but the first",
			Trips:  []string{"BO-03", "BO-04"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				if retry == 1 {
					return p.Base
				}
				return steady.FullJitter(p, r, retry, last)
			}),
		},
		{
			Name:   "coarse-jitter",
			Defect: "spreads its waits over whole steps of 50 ms",
			Trips:  []string{"BO-03"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				return steady.EqualJitter(p, r, retry, last).Round(50 * time.Millisecond)
			}),
			Hello: silentOnBackoff,
		},
	}
}

// ceiling is the wait without any jitter.
func ceiling(p steady.Policy, _ *rand.Rand, retry int, _ time.Duration) time.Duration {
	return p.Ceiling(retry)
}

func multiplier(m float64) change {
	return func(p steady.Policy) steady.Policy {
		p.Multiplier = m
		return p
	}
}
