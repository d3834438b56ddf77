package fakes

import (
	"fmt"
	"slices"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
)

// agenda is what the plan has for one attempt: the faults of its step. In the end each has fired or was skipped for a reason, and
// stands in the journal as that. The zero agenda is empty.
type agenda struct {
	decide func(f faults.Fault, result journal.Result, reason string)
	open   []faults.Fault // not decided yet, in the plan's order
}

// plan draws up the agenda of an attempt whose operation and try are known. Faults that chance let through are skipped at once.
func (x *exchange) plan() {
	roll, script := x.fake.config.Roll, x.fake.config.Plan.Script(x.operation, x.r.Method, x.r.URL.Path)
	certain := script
	certain.Probability = 0
	x.agenda.open = slices.Clone(certain.For(roll, x.operation, x.try))
	x.agenda.decide = func(f faults.Fault, result journal.Result, reason string) {
		x.fake.journal.Decide(journal.Decision{
			Operation: x.operation, Attempt: x.number,
			Fault: f.String(), Phase: f.At, Result: result, Reason: reason,
		})
	}
	if len(script.For(roll, x.operation, x.try)) == 0 {
		x.agenda.skipThrough(faults.Idle, fmt.Sprintf("chance let the attempt through, at a probability of %g", script.Probability))
	}
}

// fire gives the first open fault of a phase that has an ability, and writes down that it strikes.
func fire[Ability any](a *agenda, phase faults.Phase) (f faults.Fault, does Ability, ok bool) {
	for i, f := range a.open {
		does, able := f.Action.(Ability)
		if f.At != phase || !able {
			continue
		}
		a.open = slices.Delete(a.open, i, i+1)
		a.decide(f, journal.Fired, "")
		return f, does, true
	}
	return f, does, false
}

// skipThrough writes down why the open faults up to a phase, itself included, do not strike.
func (a *agenda) skipThrough(phase faults.Phase, reason string) {
	var left []faults.Fault
	for _, f := range a.open {
		if place(f.At) > place(phase) {
			left = append(left, f)
			continue
		}
		a.decide(f, journal.Skipped, reason)
	}
	a.open = left
}

// has tells whether a fault of a phase is still open.
func (a *agenda) has(phase faults.Phase) bool {
	return slices.ContainsFunc(a.open, func(f faults.Fault) bool { return f.At == phase })
}

// place is a phase's place in the order in which attempts pass them.
func place(p faults.Phase) int { return slices.Index(faults.Phases(), p) }
