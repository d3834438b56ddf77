package mutants

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// paper is a budget that has everything.
type paper struct{}

func (paper) Earn(string)                     {}
func (paper) Spend(string, steady.Extra) bool { return true }

// afresh is a budget that is full again with each operation.
type afresh struct {
	mu     sync.Mutex
	budget steady.Budget
}

func (a *afresh) Earn(string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.budget = usualBudget()
}

func (a *afresh) Spend(origin string, what steady.Extra) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budget.Spend(origin, what)
}

// pool is a budget for each worker; operations go to the workers in turn.
type pool struct {
	budgets []steady.Budget
	next    atomic.Int64
}

func perWorker(n int) *pool {
	p := &pool{}
	for range n {
		p.budgets = append(p.budgets, usualBudget())
	}
	return p
}

func (p *pool) turn() steady.Budget { return p.budgets[int(p.next.Add(1))%len(p.budgets)] }

func (p *pool) Earn(origin string)                          { p.turn().Earn(origin) }
func (p *pool) Spend(origin string, what steady.Extra) bool { return p.turn().Spend(origin, what) }

// everywhere is one budget for all origins.
type everywhere struct{ steady.Budget }

func (e everywhere) Earn(string)                         { e.Budget.Earn("") }
func (e everywhere) Spend(_ string, w steady.Extra) bool { return e.Budget.Spend("", w) }

// patient is a budget that takes its time to say no.
type patient struct{ steady.Budget }

// patience is long enough to be seen beside the backoff.
const patience = 500 * time.Millisecond

func (p patient) Spend(origin string, what steady.Extra) bool {
	if p.Budget.Spend(origin, what) {
		return true
	}
	time.Sleep(patience)
	return false
}

// whole is a budget that counts in whole numbers, and begins with ten.
type whole struct {
	mu     sync.Mutex
	tokens map[string]int
}

func (w *whole) at(origin string) int {
	if _, known := w.tokens[origin]; !known {
		w.tokens[origin] = steady.UsualRate().Burst
	}
	return w.tokens[origin]
}

func (w *whole) Earn(origin string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens[origin] = w.at(origin) + int(steady.UsualRate().Ratio)
}

func (w *whole) Spend(origin string, _ steady.Extra) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.at(origin) == 0 {
		return false
	}
	w.tokens[origin]--
	return true
}

// mostUnderWay is failsafe-go's default of what its budget lets through in any case.
const mostUnderWay = 3

// underWay pays for a retry whenever no more than so many are on the wire.
func underWay(p steady.Policy) steady.Policy {
	running := &atomic.Int64{}
	p.Budget = func() steady.Budget { return share{running} }
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if steady.Try(req.Context()) > 1 {
			running.Add(1)
			defer running.Add(-1)
		}
		return next.RoundTrip(req)
	})(p)
}

type share struct{ running *atomic.Int64 }

func (share) Earn(string)                       {}
func (s share) Spend(string, steady.Extra) bool { return s.running.Load() < mostUnderWay }
