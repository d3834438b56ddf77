package portrait

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
)

func TestACapIsContradictedBySeveralWaitsThatNoMachineMade(t *testing.T) {
	tests := []struct {
		name   string
		surely []float64 // seconds
		want   int
		why    string
	}{
		{"starved", []float64{0.33, 0.34, 0.2}, 0, "without what the machine may have added they are within the cap"},
		{"once", []float64{0.74, 0.2, 0.3}, 0, "once may be chance"},
		{"again and again", []float64{0.74, 0.2, 0.6}, 1, "twice is the client's own doing"},
		{"jitter on top", []float64{0.47, 0.48}, 0, "a fifth on top of the cap is some clients' jitter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := againstWaits(drive.Claims{CapMS: 400}, Waits{Longest: clock.Span(740 * time.Millisecond), surely: tt.surely})
			if len(got) != tt.want {
				t.Errorf("got %v, want %d: %s", got, tt.want, tt.why)
			}
		})
	}
}
