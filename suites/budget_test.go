package suites

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// came is a transcript in which attempts came at some moments.
func came(capacity int, moments ...time.Duration) transcript.Transcript {
	t := transcript.Transcript{Capacity: capacity}
	for _, m := range moments {
		t.Record.Attempts = append(t.Record.Attempts, journal.Attempt{FirstByte: clock.Moment(m)})
	}
	return t
}

func TestCarried(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	tests := []struct {
		name    string
		moments []time.Duration
		want    time.Duration
		why     string
	}{
		{"nothing comes", nil, 0, "nothing is carried at once"},
		{"what is served", []time.Duration{10*s + 100*ms, 10*s + 200*ms}, 0, "two a second are served"},
		{"as much for ever", []time.Duration{10 * s, 10*s + 500*ms, 11 * s, 11*s + 500*ms, 12 * s}, 0, "no second holds three"},
		{"one too many", []time.Duration{10*s + 100*ms, 10*s + 200*ms, 10*s + 300*ms}, 100*ms + 1, "the second after the first of them holds two"},
		{"what came before", []time.Duration{9*s + 800*ms, 9*s + 900*ms, 10*s + 100*ms}, 0, "it is over"},
		{"overload for a while", []time.Duration{10*s + 100*ms, 10*s + 400*ms, 10*s + 700*ms, 11 * s, 11*s + 300*ms, 11*s + 600*ms, 13 * s}, s + 1, "from then on there are two in a second"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := carried(came(2, tt.moments...), clock.Moment(10*s)); got != tt.want {
				t.Errorf("got %v, want %v: %s", got, tt.want, tt.why)
			}
		})
	}
}

// A retry that was made at last was still waited for.
func TestWaitsForNoBudget(t *testing.T) {
	claims := drive.Claims{BaseMS: 100, CapMS: 1000, Multiplier: 2, Jitter: drive.FullJitter}
	silent := drive.Claims{}
	tests := []struct {
		name   string
		claims drive.Claims
		waits  []time.Duration
		found  bool
		why    string
	}{
		{"its backoff", claims, []time.Duration{90 * time.Millisecond, 190 * time.Millisecond}, false, "full jitter of 100 and 200 ms"},
		{"a little late", claims, []time.Duration{180 * time.Millisecond}, false, "a machine may be"},
		{"half a second more", claims, []time.Duration{90 * time.Millisecond, 700 * time.Millisecond}, true, "200 ms are the most that it claims"},
		{"unclaimed", silent, []time.Duration{3 * time.Second}, false, "nobody knows its backoff"},
		{"decorrelated", drive.Claims{BaseMS: 100, CapMS: 1000, Jitter: drive.DecorrelatedJitter}, []time.Duration{290 * time.Millisecond, 850 * time.Millisecond}, false, "it may draw three times the wait before"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op := transcript.Op{Operation: transcript.Operation{ID: faults.OperationID("op-00000001"), Case: outage}}
			now := time.Second
			op.Attempts = append(op.Attempts, journal.Attempt{FirstByte: clock.Moment(now), ReplyLast: clock.Moment(now), Status: 503})
			for _, w := range tt.waits {
				now += w
				op.Attempts = append(op.Attempts, journal.Attempt{FirstByte: clock.Moment(now), ReplyLast: clock.Moment(now), Status: 503})
			}
			b := newBench(emptyBudget(), transcript.Transcript{Client: drive.Hello{Claims: tt.claims}})
			b.waitsForNoBudget(op)
			if got := len(b.findings) > 0; got != tt.found {
				t.Errorf("got %v, want a finding to be %v: %s", b.findings, tt.found, tt.why)
			}
		})
	}
}

// Attempts beside each other are told from those that follow an end which was seen late.
func TestHedgesAreTold(t *testing.T) {
	const ms = time.Millisecond
	span := func(from, to time.Duration) journal.Attempt {
		return journal.Attempt{FirstByte: clock.Moment(time.Second + from), Gone: clock.Moment(time.Second + to)}
	}
	tests := []struct {
		name     string
		attempts []journal.Attempt
		hedges   int
		together int
		why      string
	}{
		{"one", []journal.Attempt{span(0, 500*ms)}, 0, 1, "there is nothing beside it"},
		{"one after the other", []journal.Attempt{span(0, 500*ms), span(600*ms, 900*ms)}, 0, 1, "a retry"},
		{"an end that was seen late", []journal.Attempt{span(0, 520*ms), span(500*ms, 900*ms)}, 0, 1, "the client had left it"},
		{"beside", []journal.Attempt{span(0, 900*ms), span(500*ms, 900*ms)}, 1, 2, "a hedge"},
		{"three", []journal.Attempt{span(0, 900*ms), span(200*ms, 900*ms), span(400*ms, 900*ms)}, 2, 3, "two hedges"},
		{"two and then one", []journal.Attempt{span(0, 500*ms), span(200*ms, 500*ms), span(600*ms, 900*ms)}, 1, 2, "the third is a retry"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(boundedHedges(), transcript.Transcript{})
			op := transcript.Op{Attempts: tt.attempts}
			if got := len(b.hedges(op)); got != tt.hedges {
				t.Errorf("got %d hedges, want %d: %s", got, tt.hedges, tt.why)
			}
			if got := b.mostBesides(op); got != tt.together {
				t.Errorf("got %d together, want %d: %s", got, tt.together, tt.why)
			}
		})
	}
}
