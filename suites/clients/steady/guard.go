package steady

import (
	"context"
	"net/url"
	"sync"
)

// Bulkhead limits how many attempts to one origin are under way at once. It is safe for concurrent use.
type Bulkhead interface {
	// AcquirePermit waits for a place, and fails when ctx ends first.
	AcquirePermit(ctx context.Context) error
	// ReleasePermit gives a place back that was acquired.
	ReleasePermit()
}

// guard is what stands before the attempts to one origin; either part may be nil.
type guard struct {
	breaker  Breaker
	bulkhead Bulkhead
}

// enter waits for a place, if it takes one, and asks the breaker twice: before the wait, so that a caller who will be refused does not queue for it;
// and after, since the breaker may have opened meanwhile. leave is to be called once, however the attempt ends.
func (g *guard) enter(ctx context.Context) (leave func(Attempt), err error) {
	if g.breaker != nil && !g.breaker.Ready() {
		return nil, ErrOpen
	}
	giveBack := func() {}
	if g.bulkhead != nil {
		if err := g.bulkhead.AcquirePermit(ctx); err != nil {
			return nil, err
		}
		giveBack = g.bulkhead.ReleasePermit
	}
	tell := func(Attempt) {}
	if g.breaker != nil {
		var ok bool
		if tell, ok = g.breaker.Enter(); !ok {
			giveBack()
			return nil, ErrOpen
		}
	}
	return func(a Attempt) {
		tell(a) // first: who takes the place next is to know
		giveBack()
	}, nil
}

// guards has a guard for each origin that was called. It is safe for concurrent use.
type guards struct {
	policy Policy
	mu     sync.Mutex
	of     map[string]*guard
}

// originOf is the part of an address that names the service: "http://127.0.0.1:41523".
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host
}

func (g *guards) at(origin string) *guard {
	g.mu.Lock()
	defer g.mu.Unlock()
	known := g.of[origin]
	if known == nil {
		known = &guard{}
		if g.policy.Breaker != nil {
			known.breaker = g.policy.Breaker(origin)
		}
		if g.policy.Bulkhead != nil {
			known.bulkhead = g.policy.Bulkhead(origin)
		}
		g.of[origin] = known
	}
	return known
}
