package faults

import (
	"cmp"
	"time"
)

// Interim sends interim replies one after the other, as a server does that has hints, or says that it is still at work (RFC 9110, 15.2;
// RFC 8297). Each looks like progress and none is an answer, so a timer that starts again at each of them never fires.
type Interim struct {
	Every time.Duration // before each of them
	Code  int           // 0 = 103 (Early Hints)
	Times int           // what would have come anyway follows then; 0 = for as long as the client waits
}

var _ Striker = (*Interim)(nil)

// earlyHints is the interim status that clients are the likeliest to know.
const earlyHints = 103

func (*Interim) Kind() Kind {
	return Kind{
		Name: "interim", Main: "every",
		Phases: []Phase{BeforeCommit, AfterCommit},
		Wire:   "interim replies such as 103 (Early Hints), one after the other, and no final one for as long as the client waits",
	}
}

func (i *Interim) Fields() []Field {
	return []Field{
		{Name: "every", Wants: "a duration above zero, such as 500ms", Value: aboveZero{durationOf(&i.Every)}},
		{Name: "code", Wants: "an interim HTTP status, 100 to 199 but not 101, which ends HTTP; 103 by default", Value: aboveZero{numberOf(&i.Code)}},
		{Name: "times", Wants: "1 or more; for as long as the client waits by default", Value: aboveZero{numberOf(&i.Times)}},
	}
}

func (i *Interim) Check() error {
	switch {
	case i.Every <= 0:
		return unfit(i, "every")
	case i.Code != 0 && (i.Code < 100 || i.Code > 199 || i.Code == 101):
		return unfit(i, "code")
	case i.Times < 0:
		return unfit(i, "times")
	}
	return nil
}

func (i *Interim) String() string { return spell(i) }

func (i *Interim) Strike(x Exchange) Step {
	for sent := 0; i.Times == 0 || sent < i.Times; sent++ {
		if !x.Wait(i.Every) || !x.Interim(cmp.Or(i.Code, earlyHints)) {
			return Over
		}
	}
	return GoOn
}
