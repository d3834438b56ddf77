package mutants

import (
	"net/http"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// budgetVariants are correct clients whose budgets are other ones than the reference's.
func budgetVariants() []Mutant {
	return []Mutant{
		{
			Name:   "a-fifth-and-ten-a-second",
			Defect: "has the budget of Finagle and Linkerd, and claims none of its numbers",
			From:   Guarded,
			Policy: payingAt(steady.Rate{Ratio: 0.2, MinPerSecond: 10, Burst: 20}),
			Hello:  claimBudget(steady.Rate{}),
		},
		{
			Name:   "a-share-alone",
			Defect: "has a budget without a floor",
			From:   Guarded,
			Policy: payingAt(aShare()),
			Hello:  claimBudget(aShare()),
		},
		{
			Name:   "a-floor-alone",
			Defect: "allows two retries a second, however much it is asked for",
			From:   Guarded,
			Policy: payingAt(aFloor()),
			Hello:  claimBudget(aFloor()),
		},
		{
			Name:   "a-hundred-saved-up",
			Defect: "begins with as many retries as the AWS SDKs, and says nothing of them",
			From:   Guarded,
			Policy: payingAt(steady.Rate{Ratio: 0.2, Burst: 100}),
			Hello:  claimBudget(steady.Rate{Ratio: 0.2}),
		},
		{
			Name:   "throttles-as-grpc",
			Defect: "counts failures against successes, and retries while the balance is above half",
			From:   Guarded,
			Policy: throttling,
			Hello:  claimBudget(steady.Rate{Ratio: tokenRatio, Burst: maxTokens / 2}),
		},
		{
			Name:   "a-budget-with-long-waits",
			Defect: "waits for seconds before each of the few retries that its budget pays for",
			From:   Guarded,
			Policy: all(backingOff(steady.EqualJitter), func(p steady.Policy) steady.Policy {
				p.Base, p.Cap = 2*time.Second, 4*time.Second
				return p
			}),
			Hello: claiming(func(c *drive.Claims) { c.BaseMS, c.CapMS, c.Jitter = 2000, 4000, drive.EqualJitter }),
		},
	}
}

func aShare() steady.Rate { return steady.Rate{Ratio: 0.2, Burst: 5} }
func aFloor() steady.Rate { return steady.Rate{MinPerSecond: 2, Burst: 5} }

func payingAt(r steady.Rate) change {
	return payingFrom(func() steady.Budget { return steady.Buckets(r) })
}

func claimBudget(r steady.Rate) func(drive.Hello) drive.Hello {
	return claiming(func(c *drive.Claims) {
		c.Budget = drive.RetryBudget{Ratio: r.Ratio, MinPerSecond: r.MinPerSecond, Burst: r.Burst}
	})
}

// The numbers of gRPC A6's example.
const (
	maxTokens  = 10
	tokenRatio = 0.1
)

// throttle is gRPC's: each failure takes a token, each success brings a part of one, and there are retries while more than half are left.
type throttle struct {
	mu    sync.Mutex
	spent map[string]float64 // of maxTokens, by origin
}

func (t *throttle) Earn(string) {}

func (t *throttle) Spend(origin string, _ steady.Extra) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.spent[origin] < maxTokens/2
}

func (t *throttle) count(origin string, failed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if failed {
		t.spent[origin] = min(t.spent[origin]+1, maxTokens)
	} else {
		t.spent[origin] = max(t.spent[origin]-tokenRatio, 0)
	}
}

func throttling(p steady.Policy) steady.Policy {
	t := &throttle{spent: map[string]float64{}}
	p.Budget = func() steady.Budget { return t }
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		reply, err := next.RoundTrip(req)
		t.count(req.URL.Scheme+"://"+req.URL.Host, err != nil || reply.StatusCode/100 == 5 || reply.StatusCode == http.StatusTooManyRequests)
		return reply, err
	})(p)
}
