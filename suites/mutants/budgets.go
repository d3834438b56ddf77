package mutants

import (
	"strings"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func budgets() []Mutant {
	return []Mutant{
		{
			Name:   "budget-on-paper",
			Defect: "claims a retry budget, and asks it nothing",
			Trips:  []string{"RB-01", "RB-02"},
			From:   Guarded,
			Policy: payingFrom(func() steady.Budget { return paper{} }),
		},
		{
			Name:   "half-a-retry-for-each",
			Defect: "lets five times as many retries through as it claims",
			Trips:  []string{"RB-01", "RB-02"},
			From:   Guarded,
			Policy: payingAt(steady.Rate{Ratio: 0.5, MinPerSecond: 1, Burst: 10}),
		},
		{
			Name:   "full-again-with-each-operation",
			Defect: "makes its budget anew with each operation",
			Trips:  []string{"RB-01", "RB-02"},
			From:   Guarded,
			Policy: payingFrom(func() steady.Budget { return &afresh{} }),
		},
		{
			Name:   "budget-of-what-is-under-way",
			Defect: "lets three retries be under way at once, however quickly they come back",
			Trips:  []string{"RB-01", "RB-02"},
			From:   Guarded,
			Policy: underWay,
		},
		{
			Name:   "budget-per-worker",
			Defect: "gives each of its forty workers a budget",
			Trips:  []string{"RB-01", "RB-02"},
			From:   Guarded,
			Policy: payingFrom(func() steady.Budget { return perWorker(workers) }),
		},
		{
			Name:   "budget-for-all-origins",
			Defect: "pays the retries of all its dependencies from one budget",
			Trips:  []string{"RB-02"},
			From:   Guarded,
			Policy: payingFrom(func() steady.Budget { return everywhere{usualBudget()} }),
		},
		{
			Name:   "waits-for-its-budget",
			Defect: "waits for half a second before it gives up on its budget",
			Trips:  []string{"RB-03"},
			From:   Guarded,
			Policy: payingFrom(func() steady.Budget { return patient{usualBudget()} }),
		},
		{
			Name:   "budget-exceeded",
			Defect: "tells its caller that the budget is exceeded, and not what the service said",
			Trips:  []string{"RB-03"},
			From:   Guarded,
			Policy: same,
			Tells: func(r drive.Result) drive.Result {
				if strings.Contains(r.Err, "budget") {
					r.Status, r.Body, r.Err = 0, nil, "retry budget exceeded"
				}
				return r
			},
		},
		{
			Name:   "budget-for-one-outage",
			Defect: "has ten retries for as long as it lives",
			Trips:  []string{"RB-04"},
			From:   Guarded,
			Policy: payingAt(steady.Rate{Burst: 10}),
		},
		{
			Name:   "budget-in-whole-numbers",
			Defect: "rounds down what its budget earns, each time",
			Trips:  []string{"RB-04"},
			From:   Guarded,
			Policy: payingFrom(func() steady.Budget { return &whole{tokens: map[string]int{}} }),
		},
		{
			Name:   "three-layers",
			Defect: "tries three times in each of three layers",
			Trips:  []string{"RT-10", "RT-15", "BO-01", "BO-04", "RB-05"},
			Policy: all(attemptsInAll(3), layer(3), layer(3)),
			Hello:  claimAttempts(3),
		},
		{
			Name:   "retries-below",
			Defect: "sits on a library that tries twice itself",
			Trips:  []string{"RT-10", "RT-15", "BO-04", "RB-05"},
			Policy: layer(2),
		},
		{
			Name:   "retries-for-a-quarter-of-a-minute",
			Defect: "has a budget of two retries for each operation, and tries each for so long that a spike of load outlives itself",
			Trips:  []string{"RB-06"},
			From:   Guarded,
			Policy: all(attemptsInAll(stubborn), payingAt(generous()), func(p steady.Policy) steady.Policy {
				p.Base, p.Cap, p.Backoff = time.Second, 3*time.Second, steady.DecorrelatedJitter
				return p
			}),
			Hello: func(h drive.Hello) drive.Hello {
				h = claimBudget(generous())(h)
				h.Claims.MaxAttempts, h.Claims.BaseMS, h.Claims.CapMS, h.Claims.Jitter = stubborn, 1000, 3000, drive.DecorrelatedJitter
				return h
			},
		},
	}
}

// workers is how many a client has, in the usual pool.
const workers = 40

// stubborn is how many attempts outlive a spike by several seconds.
const stubborn = 8

// generous is a budget that hardly ever says no.
func generous() steady.Rate { return steady.Rate{Ratio: 2, MinPerSecond: 1, Burst: 100} }

func usualBudget() steady.Budget { return steady.Buckets(steady.UsualRate()) }

// payingFrom gives the client another budget.
func payingFrom(b func() steady.Budget) change {
	return func(p steady.Policy) steady.Policy {
		p.Budget = b
		return p
	}
}

func attemptsInAll(n int) change {
	return func(p steady.Policy) steady.Policy {
		p.MaxAttempts = n
		return p
	}
}

func claimAttempts(n int) func(drive.Hello) drive.Hello {
	return claiming(func(c *drive.Claims) { c.MaxAttempts = n })
}
