package suites

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// callAt is an operation from one time of the play to another, with so many attempts at its beginning.
func callAt(began, ended time.Duration, outcome drive.Outcome, attempts int) transcript.Op {
	op := transcript.Op{Operation: transcript.Operation{Case: "a case", Began: clock.Moment(began), Ended: clock.Moment(ended), Outcome: outcome}}
	for range attempts {
		op.Attempts = append(op.Attempts, journal.Attempt{FirstByte: clock.Moment(began)})
	}
	return op
}

func TestOpened(t *testing.T) {
	const s = time.Second
	failed := func(at ...time.Duration) (ops []transcript.Op) {
		for _, m := range at {
			ops = append(ops, callAt(m, m, drive.Failed, 1))
		}
		return ops
	}
	threeIn := func(window time.Duration) circuit {
		return circuit{threshold: 3, window: window, cooldown: s, probes: 1}
	}
	tests := []struct {
		name string
		c    circuit
		ops  []transcript.Op
		want time.Duration // 0 = it need not open
		why  string
	}{
		{"enough", threeIn(10 * s), failed(1*s, 2*s, 3*s, 4*s), 3 * s, "the third failure opens it"},
		{"too few", threeIn(10 * s), failed(1*s, 2*s), 0, "two are not three"},
		{"too far apart", threeIn(2 * s), failed(1*s, 2*s, 3*s, 4*s), 0, "no three lie within two seconds"},
		{"close together at last", threeIn(2 * s), failed(1*s, 3*s, 4*s, 4500*time.Millisecond), 4500 * time.Millisecond, "the last three do"},
		{"no window", threeIn(0), failed(1*s, 60*s, 120*s), 120 * s, "it counts calls and not time"},
		{"retried calls", threeIn(10 * s), []transcript.Op{
			callAt(1*s, 5*s, drive.Failed, 4), callAt(1*s, 6*s, drive.Failed, 4), callAt(1*s, 4*s, drive.Failed, 4),
		}, 6 * s, "a breaker around the retries has counted three only then"},
		{"successes", threeIn(10 * s), []transcript.Op{callAt(1*s, 1*s, drive.OK, 1), callAt(2*s, 2*s, drive.OK, 2), callAt(3*s, 3*s, drive.Failed, 1)}, 0, "they are no failures"},
		{"refused calls", threeIn(10 * s), append(failed(1*s, 2*s), callAt(3*s, 3*s, drive.Failed, 0)), 0, "a refusal is no failure of the dependency"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(Rule{Level: Must}, transcript.Transcript{})
			at, ok := b.opened(tt.c, tt.ops)
			if ok != (tt.want != 0) || ok && at != clock.Moment(tt.want+dispatchSlack) {
				t.Errorf("got %v, %t, want %v: %s", at, ok, tt.want, tt.why)
			}
			if noted := len(b.unseen) > 0; noted == ok {
				t.Errorf("got the notes %q: want one where it need not open, and none else", b.unseen)
			}
		})
	}
}

func TestStaysShut(t *testing.T) {
	const ms = time.Millisecond
	at := func(moments ...time.Duration) (ops []transcript.Op) {
		for _, m := range moments {
			ops = append(ops, callAt(m*ms, m*ms, drive.Failed, 1))
		}
		return ops
	}
	tests := []struct {
		name   string
		probes int
		ops    []transcript.Op
		broken bool
		why    string
	}{
		{"one a cooldown", 1, at(100, 1100, 2100), false, ""},
		{"a timer's slack", 1, at(100, 1099, 2098), false, "moments are stamped on both sides"},
		{"refusals between", 1, append(at(100, 1100), callAt(500*ms, 500*ms, drive.Failed, 0)), false, "they did not come"},
		{"too early", 1, at(100, 900), true, ""},
		{"two of three probes", 3, at(100, 150, 1300, 1350), false, "a failed probe may end them early"},
		{"four of three probes", 3, at(100, 150, 200, 250), true, ""},
		{"later cooldowns", 1, at(100, 3000, 9000), false, "a longer one spares the dependency more"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(Rule{Level: Must}, transcript.Transcript{})
			b.staysShut(circuit{threshold: 1, cooldown: time.Second, probes: tt.probes}, tt.ops)
			if got := len(b.findings) > 0; got != tt.broken {
				t.Errorf("got %v, want broken %t: %s", b.findings, tt.broken, tt.why)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	late := callAt(0, 900*time.Millisecond, drive.Failed, 0)
	late.Deadline = clock.Span(time.Second)
	soon := late
	soon.Ended = clock.Moment(10 * time.Millisecond)
	tests := []struct {
		name string
		op   transcript.Op
		want bool
		why  string
	}{
		{"at once", soon, true, ""},
		{"at the deadline", late, false, "it waited for something else"},
		{"sent", callAt(0, 0, drive.Failed, 1), false, ""},
		{"answered from elsewhere", callAt(0, 0, drive.OK, 0), false, "a cache is no refusal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := refused(tt.op); got != tt.want {
				t.Errorf("got %t, want %t: %s", got, tt.want, tt.why)
			}
		})
	}
}
