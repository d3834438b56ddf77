package steady_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// places is a policy with so many places for each origin.
func places(n uint) func(*steady.Policy) {
	return func(p *steady.Policy) {
		p.Bulkhead = func(string) steady.Bulkhead { return bulkhead.New[any](n) }
	}
}

// together does the calls at once.
func together(ctx context.Context, c *steady.Client, calls ...drive.Call) []drive.Result {
	results := make([]drive.Result, len(calls))
	var all sync.WaitGroup
	for i, call := range calls {
		all.Go(func() { results[i] = c.Do(ctx, call) })
	}
	all.Wait()
	return results
}

func TestBulkheadQueuesWithinTheDeadline(t *testing.T) {
	s := &service{script: []step{hold}}
	virtually(t, s, seeded(places(2)), func(t *testing.T, c *steady.Client) {
		began := time.Now()
		two := call(get, within(2*time.Second))
		for _, r := range together(t.Context(), c, two, two, two, two) {
			if r.Outcome != drive.Failed {
				t.Errorf("got %+v, want failed", r)
			}
		}
		if took := time.Since(began); took != 2*time.Second || len(s.requests()) != 2 {
			t.Errorf("got %d requests and all answers after %v, want 2 and their deadline", len(s.requests()), took)
		}
	})
}

func TestBulkheadPlacesComeBack(t *testing.T) {
	tests := []struct {
		name string
		ends step
		with func(*steady.Policy)
	}{
		{"answered", say(200, "{}"), nil},
		{"refused", say(404, ""), nil},
		{"broken", hangUp, nil},
		{"timed out", hold, nil},
		{"attempt timed out", hold, func(p *steady.Policy) { p.AttemptTimeout, p.MaxAttempts = time.Second, 1 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			policy := seeded(places(1))
			if tt.with != nil {
				tt.with(&policy)
			}
			s := &service{script: []step{tt.ends, say(200, "{}")}}
			virtually(t, s, policy, func(t *testing.T, c *steady.Client) {
				c.Do(t.Context(), call(get, within(2*time.Second)))
				if got := c.Do(t.Context(), call(get, within(2*time.Second))); got.Outcome != drive.OK {
					t.Errorf("got %+v, want ok: the place was given back", got)
				}
			})
		})
	}
}

func TestBulkheadHasPlacesForEachOrigin(t *testing.T) {
	s := &service{script: []step{hold, say(200, "{}")}}
	virtually(t, s, seeded(places(1)), func(t *testing.T, c *steady.Client) {
		elsewhere := call(get, func(c *drive.Call) { c.URL = "http://bank.test/v1/catalogue" })
		go c.Do(t.Context(), call(get, within(2*time.Second)))
		time.Sleep(time.Second)
		began := time.Now()
		if got := c.Do(t.Context(), elsewhere); got.Outcome != drive.OK || time.Since(began) != 0 {
			t.Errorf("got %+v after %v, want ok at once", got, time.Since(began))
		}
		time.Sleep(time.Second)
	})
}

// While a wait for a retry goes on, its place is another's.
func TestBulkheadKeepsNoPlaceWhileWaiting(t *testing.T) {
	s := &service{script: []step{say(503, "", "Retry-After: 5"), say(200, "{}")}}
	virtually(t, s, seeded(places(1)), func(t *testing.T, c *steady.Client) {
		go c.Do(t.Context(), call(get))
		time.Sleep(time.Second)
		began := time.Now()
		if got := c.Do(t.Context(), call(get)); got.Outcome != drive.OK || time.Since(began) != 0 {
			t.Errorf("got %+v after %v, want ok at once", got, time.Since(began))
		}
		time.Sleep(time.Minute)
	})
}

func TestTimeLeftIsToldAnewWithEachAttempt(t *testing.T) {
	with := func(p *steady.Policy) { p.Tell = steady.TellMilliseconds }
	s := &service{script: []step{say(503, "", "Retry-After: 2"), say(503, "", "Retry-After: 2"), say(200, "{}")}}
	virtually(t, s, seeded(with), func(t *testing.T, c *steady.Client) {
		began := time.Now()
		c.Do(t.Context(), call(within(10*time.Second)))
		if len(s.requests()) != 3 {
			t.Fatalf("got %d requests, want 3", len(s.requests()))
		}
		for i, r := range s.requests() {
			left := 10*time.Second - r.at.Sub(began)
			if got, want := r.header.Get(steady.TimeoutHeader), strconv.FormatInt(left.Milliseconds(), 10); got != want {
				t.Errorf("attempt %d: got %s ms left, want %s", i+1, got, want)
			}
		}
	})
}

func TestNoAttemptWithoutTimeToTell(t *testing.T) {
	with := func(p *steady.Policy) { p.Tell = steady.TellMilliseconds }
	s := &service{script: []step{say(200, "{}")}}
	virtually(t, s, seeded(with), func(t *testing.T, c *steady.Client) {
		if got := c.Do(t.Context(), call(within(time.Millisecond/2))); got.Outcome != drive.Failed || len(s.requests()) != 0 {
			t.Errorf("got %+v with %d requests, want failed and none", got, len(s.requests()))
		}
	})
}
