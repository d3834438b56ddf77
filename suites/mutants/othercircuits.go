package mutants

import (
	"net/http"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// doubling cools down twice as long after each probe that fails, up to four times as long.
type doubling struct {
	mu       sync.Mutex
	now      steady.Breaker
	cooldown time.Duration
	refused  bool
}

func (d *doubling) Ready() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	ok := d.now.Ready()
	d.refused = d.refused || !ok
	return ok
}

func (d *doubling) Enter() (leave func(steady.Attempt), ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	entered := d.now
	tell, ok := entered.Enter()
	d.refused = d.refused || !ok
	return func(a steady.Attempt) {
		tell(a)
		d.mu.Lock()
		defer d.mu.Unlock()
		if entered != d.now || !d.refused {
			return
		}
		c := steady.UsualCircuit()
		switch steady.Health(a) {
		case steady.Good:
			d.refused, d.cooldown = false, c.Cooldown
			d.now = usualBreaker()
		case steady.Bad:
			d.cooldown = min(2*d.cooldown, 4*c.Cooldown)
			c.Cooldown = d.cooldown
			d.now = opened(c)
		}
	}, ok
}

// opened is a breaker that has just opened.
func opened(c steady.Circuit) steady.Breaker {
	b := steady.NewBreaker(c)
	for range c.Threshold {
		if leave, ok := b.Enter(); ok {
			leave(steady.Attempt{Status: http.StatusInternalServerError})
		}
	}
	return b
}

// lastTen opens when half of the last ten calls failed, however old they are. The breaker within is told of a failure when it is to open, and of
// probes.
type lastTen struct {
	steady.Breaker
	mu      sync.Mutex
	last    []steady.Vote
	refused bool // since it was last closed
}

func newLastTen() *lastTen {
	c := steady.UsualCircuit()
	c.Threshold = 1
	return &lastTen{Breaker: steady.NewBreaker(c)}
}

func (l *lastTen) Ready() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	ok := l.Breaker.Ready()
	l.refused = l.refused || !ok
	return ok
}

func (l *lastTen) Enter() (leave func(steady.Attempt), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	tell, ok := l.Breaker.Enter()
	l.refused = l.refused || !ok
	if !ok || l.refused {
		return func(a steady.Attempt) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.refused = steady.Health(a) != steady.Good
			tell(a)
		}, ok
	}
	return func(a steady.Attempt) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.opens(steady.Health(a)) {
			l.last = nil
			tell(a)
		}
	}, true
}

// opens takes one more call in, and tells whether that opens the breaker.
func (l *lastTen) opens(v steady.Vote) bool {
	const counted, half = 10, 5
	if v != steady.Silent {
		l.last = append(l.last, v)
		l.last = l.last[max(0, len(l.last)-counted):]
	}
	bad := 0
	for _, v := range l.last {
		if v == steady.Bad {
			bad++
		}
	}
	return bad >= half && v == steady.Bad
}
