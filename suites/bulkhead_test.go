package suites

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func TestMostAtOnce(t *testing.T) {
	const ms = time.Millisecond
	answered := func(from, to time.Duration) journal.Attempt {
		return journal.Attempt{FirstByte: clock.Moment(from * ms), ReplyLast: clock.Moment(to * ms)}
	}
	left := func(from, to time.Duration) journal.Attempt {
		return journal.Attempt{FirstByte: clock.Moment(from * ms), Gone: clock.Moment(to * ms)}
	}
	tests := []struct {
		name     string
		attempts []journal.Attempt
		want     int
		why      string
	}{
		{"none", nil, 0, ""},
		{"one after the other", []journal.Attempt{answered(1, 2), answered(3, 4)}, 1, ""},
		{"one as the other ends", []journal.Attempt{answered(1, 2), answered(2, 3)}, 1, "its end made room"},
		{"overlapping", []journal.Attempt{answered(1, 5), answered(2, 3), answered(4, 6)}, 2, ""},
		{"all together", []journal.Attempt{answered(1, 9), answered(1, 9), answered(1, 9)}, 3, ""},
		{"left by the client", []journal.Attempt{answered(1, 9), left(2, 5)}, 1, "when it was left is not known well"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mostAtOnce([]transcript.Op{{Attempts: tt.attempts}}); got != tt.want {
				t.Errorf("got %d, want %d %s", got, tt.want, tt.why)
			}
		})
	}
}
