package suites

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// Waits are found out that are drawn otherwise than the client claims, and those that are drawn as it claims are not.
func TestClaimedJitter(t *testing.T) {
	const base, limit = 100 * time.Millisecond, 2 * time.Second
	tests := []struct {
		name  string
		claim drive.Jitter
		rule  Rule
		wait  func(r *rand.Rand, k int, last time.Duration) time.Duration // last is the base at first
		want  Result
	}{
		{"full", drive.FullJitter, fullJitter(), func(r *rand.Rand, k int, _ time.Duration) time.Duration { return between(r, 0, doubling(k)) }, Pass},
		{"equal for full", drive.FullJitter, fullJitter(), func(r *rand.Rand, k int, _ time.Duration) time.Duration {
			return between(r, doubling(k)/2, doubling(k))
		}, Warn},
		{"half of full", drive.FullJitter, fullJitter(), func(r *rand.Rand, k int, _ time.Duration) time.Duration { return between(r, 0, doubling(k)/2) }, Warn},
		{"equal", drive.EqualJitter, equalJitter(), func(r *rand.Rand, k int, _ time.Duration) time.Duration {
			return between(r, doubling(k)/2, doubling(k))
		}, Pass},
		{"full for equal", drive.EqualJitter, equalJitter(), func(r *rand.Rand, k int, _ time.Duration) time.Duration { return between(r, 0, doubling(k)) }, Observed},
		{"decorrelated", drive.DecorrelatedJitter, decorrelatedJitter(), func(r *rand.Rand, _ int, last time.Duration) time.Duration {
			return between(r, base, min(3*last, limit))
		}, Pass},
		{"decorrelated from zero", drive.DecorrelatedJitter, decorrelatedJitter(), func(r *rand.Rand, _ int, last time.Duration) time.Duration { return between(r, 0, min(3*last, limit)) }, Observed},
		{"each wait for itself", drive.DecorrelatedJitter, decorrelatedJitter(), func(r *rand.Rand, _ int, _ time.Duration) time.Duration { return between(r, base, 3*base) }, Observed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			for range 20 {
				last := base
				h := habit{
					claim: drive.Claims{BaseMS: 100, CapMS: 2000, Multiplier: 2, Jitter: tt.claim},
					wait: func(r *rand.Rand, k int) time.Duration {
						if k == 1 {
							last = base
						}
						last = tt.wait(r, k, last)
						return last
					},
				}
				v := Judge(tt.rule, simulate(r, h, 200, 2*time.Millisecond))
				if v.Result == Inconclusive && tt.want != Pass {
					continue // in doubt it finds nothing, but it does not pass either
				}
				if v.Result != tt.want {
					t.Errorf("got %s (%s, %v), want %s", v.Result, v.Detail, v.Measured, tt.want)
				}
			}
		})
	}
}
