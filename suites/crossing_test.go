package suites

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
)

// A hedge that crosses a reply on its way is no retry.
func TestCrossingHedgesAreNoRetries(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name     string
		hedges   bool
		lateness time.Duration
		attempts []time.Duration // each is answered when it comes
		want     int             // of them are left
		why      string
	}{
		{"no hedging", false, 0, []time.Duration{0, 201 * ms}, 2, "a retry"},
		{"in time", true, 0, []time.Duration{190 * ms, 201 * ms}, 1, "sent 200 ms after the call, before the reply came"},
		{"too early for a hedge", true, 0, []time.Duration{0, 10 * ms}, 2, "a retry at once"},
		{"too late for one on its way", true, 0, []time.Duration{0, 300 * ms}, 2, "a retry"},
		{"a busy machine", true, 100 * ms, []time.Duration{100 * ms, 350 * ms}, 1, "it may have been on its way for so long"},
		{"the third", true, 0, []time.Duration{0, 300 * ms, 310 * ms}, 3, "a second hedge would have come 400 ms after the call"},
	}
	t.Run("no delay is claimed", func(t *testing.T) {
		p := play(5*time.Second, time.Second, 0, 10*ms)
		p.Client.Features = append(p.Client.Features, drive.Hedging)
		if got := len(newBench(atMostTwo, p).withoutCrossings(p).Attempts); got != 2 {
			t.Errorf("got %d attempts, want 2: it may as well be a retry at once", got)
		}
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := play(5*time.Second, time.Second, tt.attempts...)
			p.Lateness = clock.Span(tt.lateness)
			if tt.hedges {
				p.Client.Features = append(p.Client.Features, drive.Hedging)
				p.Client.Claims.Hedge = drive.HedgePolicy{DelayMS: 200, MaxAttempts: 3}
			}
			b := newBench(atMostTwo, p)
			if got := len(b.withoutCrossings(p).Attempts); got != tt.want {
				t.Errorf("got %d attempts, want %d: %s", got, tt.want, tt.why)
			}
		})
	}
}
