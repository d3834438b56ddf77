package steady_test

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// hedged is the default policy with hedges a second apart, changed by each of with.
func hedged(with ...func(*steady.Policy)) steady.Policy {
	p := seeded(with...)
	p.Hedge = steady.Hedge{Delay: time.Second, MaxAttempts: 3}
	return p
}

func TestHedges(t *testing.T) {
	spent := func(p *steady.Policy) {
		p.Budget = func() steady.Budget { return steady.Buckets(steady.Rate{}) }
	}
	tests := []struct {
		name     string
		policy   steady.Policy
		call     drive.Call
		script   []step
		attempts int
		outcome  drive.Outcome
		took     time.Duration
		why      string
	}{
		{"an answer in time", hedged(), call(get), []step{after(900*time.Millisecond, say(200, "{}"))}, 1, drive.OK, 900 * time.Millisecond, "nothing to hedge"},
		{"a slow one", hedged(), call(get), []step{hold, say(200, "{}")}, 2, drive.OK, time.Second, "the second answers at once"},
		{"two slow ones", hedged(), call(get), []step{hold, hold, say(200, "{}")}, 3, drive.OK, 2 * time.Second, "a delay apart"},
		{"silence", hedged(), call(get, within(9*time.Second)), []step{hold}, 3, drive.Failed, 9 * time.Second, "three are the most, and the deadline ends them"},
		{"the first wins", hedged(), call(get), []step{after(1500*time.Millisecond, say(200, "{}")), hold}, 2, drive.OK, 1500 * time.Millisecond, "whoever comes first"},
		{"a hedge fails", hedged(), call(get), []step{after(1500*time.Millisecond, say(200, "{}")), say(503, "")}, 2, drive.OK, 1500 * time.Millisecond, "the first may still succeed"},
		{"the last one fails", hedged(), call(get), []step{hold, hangUp, say(200, "{}")}, 3, drive.OK, 2 * time.Second, "the next comes in its time"},
		{"not found", hedged(), call(get), []step{say(404, "")}, 1, drive.Failed, 0, "there is nothing under way to be hedged"},
		{"asked to rest", hedged(), call(get, within(9*time.Second)), []step{hold, say(503, "", "Retry-After: 60")}, 2, drive.Failed, 9 * time.Second, "nobody else is asked"},
		{"a keyed write", hedged(), call(within(9 * time.Second)), []step{hold}, 1, drive.Unknown, 9 * time.Second, "only reads"},
		{"an unkeyed write", hedged(), call(unkeyed, within(9*time.Second)), []step{hold}, 1, drive.Unknown, 9 * time.Second, "only reads"},
		{"no budget left", hedged(spent), call(get, within(9*time.Second)), []step{hold}, 1, drive.Failed, 9 * time.Second, "a hedge has its price"},
		{"no hedging", seeded(), call(get, within(9*time.Second)), []step{hold}, 1, drive.Failed, 9 * time.Second, "the zero Hedge never does"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: tt.script}
			virtually(t, s, tt.policy, func(t *testing.T, c *steady.Client) {
				began := time.Now()
				got := c.Do(t.Context(), tt.call)
				if took := time.Since(began); took != tt.took || got.Outcome != tt.outcome {
					t.Errorf("got %s (%s) after %v, want %s after %v: %s", got.Outcome, got.Err, took, tt.outcome, tt.took, tt.why)
				}
				if n := len(s.requests()); n != tt.attempts {
					t.Errorf("got %d attempts, want %d: %s", n, tt.attempts, tt.why)
				}
			})
		})
	}
}

// Hedges count as attempts: what follows them is what they left.
func TestHedgesAreAttempts(t *testing.T) {
	s := &service{script: []step{after(1500*time.Millisecond, say(503, "")), after(time.Second, say(503, "")), say(503, "")}}
	virtually(t, s, hedged(), func(t *testing.T, c *steady.Client) {
		got := c.Do(t.Context(), call(get))
		if n := len(s.requests()); n != 4 || got.Status != 503 {
			t.Errorf("got %d attempts and %d, want 4 and a 503", n, got.Status)
		}
	})
}
