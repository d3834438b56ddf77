package mutants

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func hedging() []Mutant {
	return []Mutant{
		{
			Name:   "hedges-everything",
			Defect: "hedges whatever is slow",
			Trips:  []string{"RT-08", "HG-01"},
			From:   Hedging,
			Policy: hedgeable(func(steady.Operation) bool { return true }),
		},
		{
			Name:   "hedges-patches",
			Defect: "hedges a PATCH without a key, since it only sets what is set",
			Trips:  []string{"HG-01"},
			From:   Hedging,
			Policy: hedgeable(func(o steady.Operation) bool { return o.Safe() || o.Method == http.MethodPatch }),
		},
		{
			Name:   "hedges-with-another-key",
			Defect: "hedges keyed writes, and makes a key for each hedge",
			Trips:  []string{"ID-02", "ID-05", "HG-01"},
			From:   Hedging,
			Policy: all(hedgeable(steady.Operation.Repeatable), rekeyBeside),
		},
		{
			Name:   "hedges-early",
			Defect: "hedges after three quarters of the delay that it claims",
			Trips:  []string{"HG-02"},
			From:   Hedging,
			Policy: func(p steady.Policy) steady.Policy {
				p.Hedge.Delay = p.Hedge.Delay * 3 / 4
				return p
			},
		},
		{
			Name:   "one-hedge-more",
			Defect: "counts hedges where it says attempts",
			Trips:  []string{"HG-02"},
			From:   Hedging,
			Policy: func(p steady.Policy) steady.Policy {
				p.Hedge.MaxAttempts++
				return p
			},
		},
		{
			Name:   "losers-run-on",
			Defect: "lets the attempts that lost go on for half a second",
			Trips:  []string{"HG-02"},
			From:   Hedging,
			Policy: lingering(lost),
		},
		{
			Name:   "hedges-for-free",
			Defect: "pays for its retries, and not for its hedges",
			Trips:  []string{"HG-03"},
			From:   Hedging,
			Policy: payingFrom(func() steady.Budget { return freeHedges{usualBudget()} }),
		},
		{
			Name:   "hedges-without-a-budget",
			Defect: "hedges every read that is slow, and has no budget",
			Trips:  []string{"HG-03"},
			From:   Hedging,
			Policy: payingFrom(nil),
			Hello: func(h drive.Hello) drive.Hello {
				h.Claims.Budget = drive.RetryBudget{}
				return without(h, drive.Budget)
			},
		},
		{
			Name:   "hedges-against-a-hint",
			Defect: "goes on hedging when one of its attempts was told to come later",
			Trips:  []string{"HG-03"},
			From:   Hedging,
			Policy: func(p steady.Policy) steady.Policy {
				p.Halts = func(steady.Attempt) bool { return false }
				return p
			},
		},
		{
			Name:   "hedges-a-failure",
			Defect: "sends the hedge of a first attempt that was told to come later",
			Trips:  []string{"HG-03"},
			From:   Hedging,
			Policy: sending(hearingLate),
		},
	}
}

func hedgeable(what func(steady.Operation) bool) change {
	return func(p steady.Policy) steady.Policy {
		p.Hedgeable = what
		return p
	}
}

// rekeyBeside gives a request a key of its own when another one of its operation is under way.
func rekeyBeside(p steady.Policy) steady.Policy {
	var mu sync.Mutex
	running := map[string]int{}
	add := func(operation string, n int) int {
		mu.Lock()
		defer mu.Unlock()
		running[operation] += n
		return running[operation]
	}
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		operation := req.URL.RawQuery // the suite's token
		defer add(operation, -1)
		if add(operation, 1) > 1 {
			req = req.Clone(req.Context())
			rekey(req, rand.Text())
		}
		return next.RoundTrip(req)
	})(p)
}

// lost tells whether another attempt was answered before a request.
func lost(ctx context.Context) bool { return errors.Is(context.Cause(ctx), steady.ErrLost) }

// freeHedges is a budget that is asked for retries only.
type freeHedges struct{ steady.Budget }

func (f freeHedges) Spend(origin string, what steady.Extra) bool {
	return what == steady.ForHedge || f.Budget.Spend(origin, what)
}

// slow is a reply that other attempts may be sent beside.
const slow = 50 * time.Millisecond

// hearingLate hears of a slow failure only when the hedge is on its way.
func hearingLate(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	began := time.Now()
	reply, err := next.RoundTrip(req)
	if err == nil && reply.StatusCode == http.StatusServiceUnavailable && steady.Try(req.Context()) == 1 && time.Since(began) > slow {
		select {
		case <-time.After(steady.Hedging().Hedge.Delay):
		case <-req.Context().Done():
		}
	}
	return reply, err
}
