package mutants

import (
	"math/rand/v2"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func ceilings() []Mutant {
	return []Mutant{
		{
			Name:   "no-cap",
			Defect: "doubles its waits for as long as they fit into an hour",
			Trips:  []string{"BO-02"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				if p.MaxAttempts < 60 {
					p.Cap = time.Hour
				}
				return steady.FullJitter(p, r, retry, last)
			}),
		},
		{
			Name:   "steady-at-the-cap",
			Defect: "draws no more once the cap is reached",
			Trips:  []string{"BO-07"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				if p.Ceiling(retry) == p.Cap {
					return p.Cap
				}
				return steady.FullJitter(p, r, retry, last)
			}),
		},
		{
			Name:   "shifts-out",
			Defect: "doubles by shifting, so that after 31 retries nothing is left to wait",
			Trips:  []string{"BO-08"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				if milliseconds := int32(p.Base/time.Millisecond) << (retry - 1); milliseconds <= 0 {
					return 0
				}
				return steady.FullJitter(p, r, retry, last)
			}),
		},
	}
}
