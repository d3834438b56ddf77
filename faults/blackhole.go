package faults

import "time"

// SilentPort leaves SYNs unanswered, as a firewall does that drops packets, or a host that is gone: only the client's connect timeout
// ends the wait. It is so for every client, as with [ClosedPort]. When it ends, a SYN that the client's kernel sends again gets through.
type SilentPort struct {
	For time.Duration // from the start of the play; 0 = for all of it
}

var _ Door = (*SilentPort)(nil)

func (*SilentPort) Kind() Kind {
	return Kind{
		Name: "blackhole", Main: "for",
		Phases: []Phase{Connect},
		Wire:   "no answer to the SYN: the client's connect timeout",
	}
}

func (p *SilentPort) Fields() []Field { return []Field{windowOf(&p.For)} }

func (p *SilentPort) Check() error {
	if p.For < 0 {
		return unfit(p, "for")
	}
	return nil
}

func (p *SilentPort) String() string { return spell(p) }

func (p *SilentPort) Door() Welcome { return Welcome{Door: Blackhole, For: p.For} }
