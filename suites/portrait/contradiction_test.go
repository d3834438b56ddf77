package portrait

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
)

func TestAgainstStatuses(t *testing.T) {
	seen := func(what string, n, repeated int) Portrait {
		return Portrait{Causes: []Cause{{What: what, Repeatable: Tally{Seen: n, Repeated: repeated}}}}
	}
	claimed := drive.Claims{RetryStatuses: []int{503}}
	broken, paid := claimed, claimed
	broken.Breaker.Threshold = 5
	paid.Budget.Ratio = 0.1
	tests := []struct {
		name   string
		claims drive.Claims
		seen   Portrait
		want   int
		why    string
	}{
		{"as claimed", claimed, seen("503", 4, 4), 0, ""},
		{"never retried", claimed, seen("503", 4, 0), 1, ""},
		{"seen once", claimed, seen("503", 1, 0), 0, "once may be chance"},
		{"retried unclaimed", claimed, seen("500", 4, 1), 1, ""},
		{"never retried, behind a breaker", broken, seen("503", 4, 0), 0, "the breaker may have forbidden it"},
		{"never retried, on a budget", paid, seen("503", 4, 0), 0, "the budget may have forbidden it"},
		{"retried unclaimed, behind a breaker", broken, seen("500", 4, 1), 1, "a breaker forbids, and makes nobody retry"},
		{"nothing claimed", drive.Claims{}, seen("500", 4, 4), 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := againstStatuses(tt.claims, tt.seen); len(got) != tt.want {
				t.Errorf("got %v, want %d: %s", got, tt.want, tt.why)
			}
		})
	}
}

func TestAgainstTheBase(t *testing.T) {
	tests := []struct {
		name string
		high time.Duration // of as many first waits as it takes
		n    int
		want int
		why  string
	}{
		{"at once", 5 * time.Millisecond, fewest, 1, "waits of nothing are too short for any base"},
		{"at once, seldom", 5 * time.Millisecond, fewest - 1, 0, "full jitter may draw a few that are short"},
		{"some below half", 190 * time.Millisecond, fewest, 0, "the measurement may be off by as much"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := Waits{First: Shape{Samples: tt.n, High: clock.Span(tt.high)}}
			if got := againstWaits(drive.Claims{BaseMS: 400}, w); len(got) != tt.want {
				t.Errorf("got %v, want %d: %s", got, tt.want, tt.why)
			}
		})
	}
}
