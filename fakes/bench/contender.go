package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/fakes"
)

// latency is the toxic of row (d).
const latency = 5 * time.Millisecond

// contender is a server in the comparison.
type contender struct {
	letter, name string
	keyed        bool // pays, with an Idempotency-Key
	start        func(ctx context.Context) (server, error)

	rates         []float64 // by round, as is what follows
	p50, p99, cpu []time.Duration
}

// contenders begin with the one that the others are compared with.
func contenders() []*contender {
	return []*contender{
		{letter: "a", name: "net/http behind gorilla/mux, nothing else", start: own("bare")},
		{letter: "b", name: "brownout, with its journal and no fault (aim: 90 % of (a))", start: own("fake")},
		{letter: "b'", name: "brownout's payments, each with a key, a fingerprint and a saved result", start: own("fake"), keyed: true},
		{letter: "c", name: "brownout, through toxics that change nothing (aim: 80 % of (a))", start: own("chain")},
		{letter: "d", name: fmt.Sprintf("brownout, through a latency toxic of %v", latency), start: own("latency")},
		{letter: "e", name: "Toxiproxy's own proxy, without a toxic, before (a)", start: own("toxiproxy")},
	}
}

// running is WireMock, which is started once: a JVM that begins anew is not what anyone waits for.
func running(s server) *contender {
	s.stop = func() (time.Duration, error) { return 0, nil }
	return &contender{
		letter: "f", name: wiremockPackage + ", with its journal and one stub (aim: (b) and (c) five times as fast)",
		start: func(context.Context) (server, error) { return s, nil },
	}
}

// measure is one turn. Servers of ours are fresh, so that no journal is longer than another's.
func (c *contender) measure(ctx context.Context) error {
	s, err := c.start(ctx)
	if err != nil {
		return fmt.Errorf("(%s) %s: %w", c.letter, c.name, err)
	}
	l := newLoad(s.url)
	if c.keyed {
		l.path, l.dress = "/v1/payments", withKey
	}
	_, cold := l.during(ctx, warmUp)
	met, err := l.during(ctx, turn)
	l.transport.CloseIdleConnections()
	cpu, ended := s.stop()
	if err := errors.Join(cold, err, ended); err != nil {
		return fmt.Errorf("(%s) %s: %w", c.letter, c.name, err)
	}
	c.rates = append(c.rates, met.rate())
	c.p50, c.p99 = append(c.p50, met.quantile(50)), append(c.p99, met.quantile(99))
	c.cpu = append(c.cpu, cpu/time.Duration(l.operations.Load()))
	return nil
}

func withKey(r *http.Request, operation string) { r.Header.Set(fakes.KeyHeader, "key-of-"+operation) }

// times tells how many times as fast as another it was: the median of the rounds, each of which was equally busy for both.
func (c *contender) times(other *contender) float64 {
	ratios := make([]float64, len(c.rates))
	for i, r := range c.rates {
		ratios[i] = r / other.rates[i]
	}
	return median(ratios)
}

// median of an even number is the upper of the two in the middle.
func median[T float64 | time.Duration](list []T) T {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
