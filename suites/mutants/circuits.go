package mutants

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// usualBreaker is the breaker of the reference.
func usualBreaker() steady.Breaker { return steady.NewBreaker(steady.UsualCircuit()) }

// breaking changes a number or a function of the breaker.
func breaking(with func(*steady.Circuit)) change {
	return func(p steady.Policy) steady.Policy {
		c := steady.UsualCircuit()
		with(&c)
		p.Breaker = func(string) steady.Breaker { return steady.NewBreaker(c) }
		return p
	}
}

// wrapping puts something around the breaker of each origin.
func wrapping(around func(origin string, b steady.Breaker) steady.Breaker) change {
	return func(p steady.Policy) steady.Policy {
		inner := p.Breaker
		p.Breaker = func(origin string) steady.Breaker { return around(origin, inner(origin)) }
		return p
	}
}

// health has certain attempts counted as something else.
func health(which func(steady.Attempt) bool, as steady.Vote) change {
	return breaking(func(c *steady.Circuit) {
		right := c.Health
		c.Health = func(a steady.Attempt) steady.Vote {
			if which(a) {
				return as
			}
			return right(a)
		}
	})
}

// losing never hears again of probes that came to a certain end.
func losing(which func(steady.Attempt) bool) change {
	return wrapping(func(_ string, b steady.Breaker) steady.Breaker {
		return &probed{Breaker: b, as: func(a steady.Attempt) (steady.Attempt, bool) { return a, !which(a) }}
	})
}

// probed tells the breaker something else of its probes than what came of them, or nothing. A probe is what is let through after a refusal, until
// one has succeeded.
type probed struct {
	steady.Breaker
	as func(steady.Attempt) (told steady.Attempt, heard bool)

	mu      sync.Mutex
	refused bool
}

func (p *probed) Ready() bool {
	ok := p.Breaker.Ready()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = p.refused || !ok
	return ok
}

func (p *probed) Enter() (leave func(steady.Attempt), ok bool) {
	tell, ok := p.Breaker.Enter()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !ok || !p.refused {
		return tell, ok
	}
	return func(a steady.Attempt) {
		p.mu.Lock()
		p.refused = p.refused && steady.Health(a) != steady.Good
		p.mu.Unlock()
		if told, heard := p.as(a); heard {
			tell(told)
		}
	}, true
}

// patientBreaker gives an open breaker time.
type patientBreaker struct{ steady.Breaker }

func (p patientBreaker) Ready() bool {
	const patience = 140 * time.Millisecond
	if p.Breaker.Ready() {
		return true
	}
	time.Sleep(patience)
	return p.Breaker.Ready()
}

// connectsFirst opens a connection for calls that the breaker then refuses.
func connectsFirst(p steady.Policy) steady.Policy {
	var transport *http.Transport
	p.Transport = func(next http.RoundTripper) http.RoundTripper {
		transport, _ = next.(*http.Transport)
		return next
	}
	return wrapping(func(origin string, b steady.Breaker) steady.Breaker {
		return connected{b, func() {
			u, err := url.Parse(origin)
			if err != nil {
				return
			}
			if c, err := transport.DialContext(context.Background(), "tcp", u.Host); err == nil {
				c.Close()
			}
		}}
	})(p)
}

type connected struct {
	steady.Breaker
	connect func()
}

func (c connected) Ready() bool {
	ok := c.Breaker.Ready()
	if !ok {
		c.connect()
	}
	return ok
}

// closesWithTime has a fresh, closed breaker when the old one would be half open.
type closesWithTime struct {
	mu    sync.Mutex
	now   steady.Breaker
	fresh func() steady.Breaker
	until time.Time // it is open; zero = it is closed
}

func (c *closesWithTime) Ready() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.until.IsZero() && !time.Now().Before(c.until) {
		c.now, c.until = c.fresh(), time.Time{}
	}
	return c.until.IsZero()
}

func (c *closesWithTime) Enter() (leave func(steady.Attempt), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tell, ok := c.now.Enter()
	return func(a steady.Attempt) {
		tell(a)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.until.IsZero() && !c.now.Ready() {
			c.until = time.Now().Add(steady.UsualCircuit().Cooldown)
		}
	}, ok
}

// inARow has a fresh breaker after each success, so that it counts failures in a row.
type inARow struct {
	mu    sync.Mutex
	now   steady.Breaker
	fresh func() steady.Breaker
}

func (i *inARow) Ready() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.now.Ready()
}

func (i *inARow) Enter() (leave func(steady.Attempt), ok bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	told, ok := i.now.Enter()
	return func(a steady.Attempt) {
		told(a)
		if steady.Health(a) == steady.Good {
			i.mu.Lock()
			defer i.mu.Unlock()
			i.now = i.fresh()
		}
	}, ok
}

// stopped refuses for ever once a failure was told while it was open.
type stopped struct {
	steady.Breaker
	mu   sync.Mutex
	dead bool
}

func (s *stopped) Ready() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.dead && s.Breaker.Ready()
}

func (s *stopped) Enter() (leave func(steady.Attempt), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return nil, false
	}
	tell, ok := s.Breaker.Enter()
	return func(a steady.Attempt) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if steady.Health(a) == steady.Bad && !s.Breaker.Ready() {
			s.dead = true
		}
		tell(a)
	}, ok
}
