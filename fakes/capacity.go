package fakes

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// capacity is how many requests each origin serves within any second.
type capacity struct {
	most int // 0 = as many as come

	mu     sync.Mutex
	served map[int][]clock.Moment // of the last second, in order, by origin
}

// takes tells whether an origin serves a request that comes now, and counts it if so.
func (c *capacity) takes(origin int, now clock.Moment) bool {
	if c.most == 0 {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.served[origin]
	for len(last) > 0 && now.Sub(last[0]) >= time.Second {
		last = last[1:]
	}
	taken := len(last) < c.most
	if taken {
		last = append(last, now)
	}
	c.served[origin] = last
	return taken
}

// overload turns the request away if it is one too many: at once, with a 503, before anything is applied, and at no cost to those that are
// served. It is written down as a decision, like those of the plan.
func (x *exchange) overload() faults.Step {
	if x.fake.capacity.takes(x.conn.Origin(), x.fake.config.Clock.Now()) {
		return faults.GoOn
	}
	busy := &faults.Status{Code: http.StatusServiceUnavailable}
	x.agenda.skipThrough(faults.AfterCommit, "the request came above the capacity")
	x.fake.journal.Decide(journal.Decision{
		Operation: x.operation, Attempt: x.number,
		Fault: faults.Fault{Action: busy, At: faults.BeforeCommit}.String(), Phase: faults.BeforeCommit, Result: journal.Fired,
		Reason: fmt.Sprintf("the origin serves %d requests a second", x.fake.capacity.most),
	})
	return busy.Strike(x)
}
