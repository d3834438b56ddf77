package faults

import "time"

// Delay lets the server take its time, then go on as if nothing had happened. A client that gives up meanwhile does not stop it:
// a delay before the commit ends in a commit that nobody waits for.
type Delay struct {
	For time.Duration
}

var _ Striker = (*Delay)(nil)

func (*Delay) Kind() Kind {
	return Kind{
		Name: "delay", Main: "for",
		Phases: []Phase{BeforeCommit, Head, AfterCommit},
		Wire:   "silence for the given time, then what would have come anyway",
	}
}

func (d *Delay) Check() error {
	if d.For <= 0 {
		return unfit(d, "for")
	}
	return nil
}

func (d *Delay) Fields() []Field {
	return []Field{{Name: "for", Wants: "a duration above zero, such as 300ms", Value: aboveZero{durationOf(&d.For)}}}
}

func (d *Delay) String() string { return spell(d) }

func (d *Delay) Strike(x Exchange) Step {
	if !x.Wait(d.For) {
		return Over
	}
	return GoOn
}
