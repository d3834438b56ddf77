package steady

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"
)

// ErrOpen refuses an attempt while the circuit breaker of its origin is open. Nothing was sent, and another attempt at once would be refused too.
var ErrOpen = errors.New("circuit breaker open")

// Breaker keeps attempts from an origin that fails. It is safe for concurrent use and never waits.
type Breaker interface {
	// Ready tells whether Enter would let an attempt through, and takes nothing.
	Ready() bool
	// Enter asks for one attempt. Where ok, leave is to be called once, with what came of it.
	Enter() (leave func(Attempt), ok bool)
}

// Vote is what an attempt says of the origin's health.
type Vote int

const (
	Silent Vote = iota // nothing: the caller cancelled it, or it came to no end
	Good
	Bad
)

// Health takes an answer that is the caller's business (2xx, 3xx, most of 4xx) for a sign of life, and for a failure what the origin could not do (5xx), did
// not do in time (408, a time-out) or would not do (429), and a connection that broke.
func Health(a Attempt) Vote {
	switch {
	case errors.Is(a.Err, context.Canceled), a.Err == nil && a.Status == 0:
		return Silent
	case a.Err != nil, a.Status/100 == 5, a.Status == http.StatusTooManyRequests, a.Status == http.StatusRequestTimeout:
		return Bad
	}
	return Good
}

// Circuit is when a breaker opens, and how it closes again.
//
//	closed ── Threshold failures within Window, half of its calls or more ──▶ open
//	open ── Cooldown ──▶ half open: Probes attempts, no more
//	half open ── a failure ──▶ open       half open ── Probes successes ──▶ closed
type Circuit struct {
	Threshold        int
	Window, Cooldown time.Duration
	Probes           int
	Health           func(Attempt) Vote
}

// NewBreaker makes a closed breaker.
func NewBreaker(c Circuit) Breaker { return &breaker{circuit: c} }

type breaker struct {
	circuit Circuit

	mu     sync.Mutex
	state  state
	era    int       // of this state; what an attempt of an earlier one comes to is no longer of interest
	until  time.Time // open
	calls  []counted // closed: the latest, of a window
	probes int       // half open: let through
	good   int       // half open: of the probes
}

type state int

const (
	closed state = iota
	open
	halfOpen
)

// counted is one attempt that is over.
type counted struct {
	at  time.Time
	bad bool
}

func (b *breaker) Ready() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ready()
}

func (b *breaker) ready() bool {
	if b.state == open && !time.Now().Before(b.until) {
		b.change(halfOpen)
	}
	return b.state == closed || b.state == halfOpen && b.probes < b.circuit.Probes
}

func (b *breaker) Enter() (leave func(Attempt), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ready() {
		return nil, false
	}
	b.probes++
	era := b.era
	return func(a Attempt) { b.leave(era, b.circuit.Health(a)) }, true
}

func (b *breaker) leave(era int, v Vote) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case era != b.era:
	case b.state == halfOpen:
		b.probed(v)
	case v != Silent:
		b.count(v)
	}
}

// probed takes up what came of a probe. One that says nothing gives its place to another: else the breaker would wait for it for ever.
func (b *breaker) probed(v Vote) {
	switch v {
	case Silent:
		b.probes--
	case Bad:
		b.change(open)
	case Good:
		if b.good++; b.good >= b.circuit.Probes {
			b.change(closed)
		}
	}
}

func (b *breaker) count(v Vote) {
	now := time.Now()
	b.calls = slices.DeleteFunc(b.calls, func(c counted) bool { return now.Sub(c.at) >= b.circuit.Window })
	b.calls = append(b.calls, counted{now, v == Bad})
	bad := 0
	for _, c := range b.calls {
		if c.bad {
			bad++
		}
	}
	if bad >= b.circuit.Threshold && 2*bad >= len(b.calls) {
		b.change(open)
	}
}

func (b *breaker) change(to state) {
	b.state, b.era = to, b.era+1
	b.until, b.calls, b.probes, b.good = time.Now().Add(b.circuit.Cooldown), nil, 0, 0
}
