package faults

import "time"

// Sever resets the connection while the request runs on, to be applied a while later: what happens under a load balancer that is restarted,
// or behind a proxy that loses patience. Until then whoever comes with the same key is told that it is in progress.
type Sever struct {
	For time.Duration
}

var _ Striker = (*Sever)(nil)

func (*Sever) Kind() Kind {
	return Kind{
		Name: "sever", Main: "for",
		Phases: []Phase{BeforeCommit},
		Wire:   "RST: ECONNRESET at the client; the request runs on, and is applied after the given time",
	}
}

func (s *Sever) Check() error {
	if s.For <= 0 {
		return unfit(s, "for")
	}
	return nil
}

func (s *Sever) Fields() []Field {
	return []Field{{Name: "for", Wants: "a duration above zero, such as 300ms", Value: aboveZero{durationOf(&s.For)}}}
}

func (s *Sever) String() string { return spell(s) }

func (s *Sever) Strike(x Exchange) Step {
	x.Sever()
	if !x.Wait(s.For) {
		return Over
	}
	return GoOn
}
