package transcript

import (
	"net/http"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// Op is an operation with all that the fake saw of it, in order. Judges look at Ops.
type Op struct {
	Operation
	Attempts  []journal.Attempt // to do it
	LookUps   []journal.Attempt // to find out what became of it
	Effects   []journal.Effect
	Decisions []journal.Decision
}

// Ops gives the operations in the order in which they were asked for.
func (t Transcript) Ops() []Op { return t.In() }

// Cases gives the names of the cases, in order.
func (t Transcript) Cases() []string {
	var names []string
	for _, o := range t.Operations {
		if len(names) == 0 || names[len(names)-1] != o.Case {
			names = append(names, o.Case)
		}
	}
	return names
}

// In gives the operations of some cases, in the order in which they were asked for; without a name, of all.
func (t Transcript) In(cases ...string) []Op {
	ops := make([]Op, 0, len(t.Operations))
	for _, o := range t.Operations {
		if len(cases) == 0 || slices.Contains(cases, o.Case) {
			ops = append(ops, Op{Operation: o})
		}
	}
	place := make(map[faults.OperationID]*Op, len(ops))
	for i := range ops {
		place[ops[i].ID] = &ops[i]
	}
	for i := range t.Record.Attempts {
		if op := place[t.Record.Attempts[i].Operation]; op != nil {
			op.take(t.Record.Attempts[i])
		}
	}
	for _, e := range t.Record.Effects {
		if op := place[e.Operation]; op != nil {
			op.Effects = append(op.Effects, e)
		}
	}
	for _, d := range t.Record.Decisions {
		if op := place[d.Operation]; op != nil {
			op.Decisions = append(op.Decisions, d)
		}
	}
	return ops
}

// take puts a request where it belongs. A read that carries the token of a write looks the write up, which is what a client is to do that does
// not know what became of it. But a read of the very place that a POST or PATCH goes to is that write, with another method.
func (o *Op) take(a journal.Attempt) {
	reads := a.Method == http.MethodGet || a.Method == http.MethodHead
	named := o.Method == http.MethodPut || o.Method == http.MethodDelete // what its target names can be read there
	switch {
	case reads && o.Method != http.MethodGet && o.Method != http.MethodHead && (named || a.Target != o.Target):
		o.LookUps = append(o.LookUps, a)
	default:
		o.Attempts = append(o.Attempts, a)
	}
}

// Elapsed is how long the caller waited for its answer.
func (o Op) Elapsed() time.Duration { return o.Ended.Sub(o.Began) }

// MissedWarm tells whether an operation was to travel on a kept connection and did not. It wants an attempt.
func (o Op) MissedWarm() bool { return o.Warm && o.Attempts[0].Use == 1 }

// Over is when attempt k, counted from 1, was over: answered or cut by the fake, or left by the client; Never while it was open.
func (o Op) Over(k int) clock.Moment {
	a := o.Attempts[k-1]
	switch answered := a.Answered(); {
	case !answered.Happened():
		return a.Gone
	case a.Gone.Happened():
		return min(answered, a.Gone)
	default:
		return answered
	}
}

// TimerSlack is by how much a wait may look short on an honest machine: moments are stamped on both sides of it.
const TimerSlack = 2 * time.Millisecond

// LikelyNext is how many times the last wait the next one may well be: twice for the growth, twice for the jitter.
const LikelyNext = 4

// Waits gives w_k = a_(k+1) - r_k for each attempt but the last: the time from the end of one attempt to the first byte of the next. An
// attempt that was still open when the next one came has the wait zero.
func (o Op) Waits() []time.Duration {
	var waits []time.Duration
	for k := 1; k < len(o.Attempts); k++ {
		wait := time.Duration(0)
		if over := o.Over(k); over.Happened() {
			wait = max(0, o.Attempts[k].FirstByte.Sub(over))
		}
		waits = append(waits, wait)
	}
	return waits
}

// Keys gives the distinct idempotency keys of the attempts, in order of first use; "" stands for an attempt without one.
func (o Op) Keys() []string {
	var keys []string
	for _, a := range o.Attempts {
		if !slices.Contains(keys, a.Key) {
			keys = append(keys, a.Key)
		}
	}
	return keys
}

// LastAttempt is when the first byte of the last attempt came; Never without one.
func (o Op) LastAttempt() clock.Moment {
	if len(o.Attempts) == 0 {
		return clock.Never
	}
	return o.Attempts[len(o.Attempts)-1].FirstByte
}

// Struck names the fault that fired on an attempt, by the attempt's number in the journal; empty where none did.
func (o Op) Struck(attempt int) string {
	for _, d := range o.Decisions {
		if d.Attempt == attempt && d.Result == journal.Fired {
			return d.Fault
		}
	}
	return ""
}

// Wall gives the wall-clock time of a moment; ok is false in a transcript that does not tell.
func (t Transcript) Wall(m clock.Moment) (at time.Time, ok bool) {
	return t.Started.Add(time.Duration(m)), !t.Started.IsZero()
}
