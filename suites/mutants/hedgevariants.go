package mutants

import (
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// hedgeVariants are correct clients that hedge otherwise than the reference does.
func hedgeVariants() []Mutant {
	return []Mutant{
		{
			Name:   "hedges-keyed-writes",
			Defect: "hedges a write as well, where all its attempts carry one key",
			From:   Hedging,
			Policy: hedgeable(func(o steady.Operation) bool { return o.Safe() || o.Key != "" }),
		},
		{
			Name:   "one-hedge-after-half-a-second",
			Defect: "hedges once, and late",
			From:   Hedging,
			Policy: hedgingAfter(500*time.Millisecond, 2),
			Hello:  claimHedge(500*time.Millisecond, 2),
		},
		{
			Name:   "hedges-within-a-network",
			Defect: "hedges after twenty milliseconds, as between machines that stand side by side",
			From:   Hedging,
			Policy: hedgingAfter(20*time.Millisecond, 2),
			Hello:  claimHedge(20*time.Millisecond, 2),
		},
		{
			Name:   "hedges-after-three-seconds",
			Defect: "hedges only what takes very long",
			From:   Hedging,
			Policy: hedgingAfter(3*time.Second, 3),
			Hello:  claimHedge(3*time.Second, 3),
		},
		{
			Name:   "hedges-and-says-no-more",
			Defect: "claims no number of its hedges, nor of its budget",
			From:   Hedging,
			Policy: same,
			Hello:  claiming(func(c *drive.Claims) { c.Hedge, c.Budget = drive.HedgePolicy{}, drive.RetryBudget{} }),
		},
	}
}

func hedgingAfter(d time.Duration, most int) change {
	return func(p steady.Policy) steady.Policy {
		p.Hedge = steady.Hedge{Delay: d, MaxAttempts: most}
		return p
	}
}

func claimHedge(d time.Duration, most int) func(drive.Hello) drive.Hello {
	return claiming(func(c *drive.Claims) {
		c.Hedge = drive.HedgePolicy{DelayMS: int(d / time.Millisecond), MaxAttempts: most}
	})
}
