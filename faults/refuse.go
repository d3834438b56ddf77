package faults

import "time"

// ClosedPort refuses connections, as a service does that is not running. Nothing was sent, so repeating is safe for any request.
// For as long as it lasts it is so for every client: nobody can tell which connection it would have been.
type ClosedPort struct {
	For time.Duration // from the start of the play; 0 = for all of it
}

var _ Door = (*ClosedPort)(nil)

func (*ClosedPort) Kind() Kind {
	return Kind{
		Name: "refuse", Main: "for",
		Phases: []Phase{Connect},
		Wire:   "RST to the SYN: ECONNREFUSED at the client",
	}
}

func (p *ClosedPort) Fields() []Field { return []Field{windowOf(&p.For)} }

func (p *ClosedPort) Check() error {
	if p.For < 0 {
		return unfit(p, "for")
	}
	return nil
}

func (p *ClosedPort) String() string { return spell(p) }

func (p *ClosedPort) Door() Welcome { return Welcome{Door: Refuse, For: p.For} }

// windowOf is the field that says for how long the listener as a whole turns clients away.
func windowOf(p *time.Duration) Field {
	return Field{Name: "for", Wants: "a duration above zero from the start of the play, such as 2s; all of it by default", Value: aboveZero{durationOf(p)}}
}
