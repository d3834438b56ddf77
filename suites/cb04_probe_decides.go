package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func probeDecides() Rule {
	return Rule{
		ID: "CB-04", Level: Must, Family: Breakers, Profile: Isolating,
		Says:   "a probe that fails opens the breaker again at once, one that succeeds closes it",
		Source: "Azure Architecture Center, Circuit Breaker pattern (Half-Open); Nygard, Release It!, Circuit Breaker",
		Under:  "one-probe-fails",
		Needs:  drive.Breaker, Declared: true, Lasting: true,
		Why:   "A breaker that a bad probe does not open sends the whole load to a dead dependency; one that a good probe does not close turns callers away from one that is well.",
		Right: "A failed probe starts a new cooldown. When the probes have succeeded, close, and count from nothing.",
		Holds: func(b *Bench, t transcript.Transcript) {
			c, ok := b.circuit()
			if !ok || !b.wasOpen(c, t.In("failing")) {
				return
			}
			bad := t.In("still failing")
			if len(sent(bad)) == 0 {
				b.NotTested("still failing: the client let no probe through")
			} else {
				b.staysShut(c, bad)
			}
			b.closes(c, t.In("well again"))
		},
	}
}

// closes expects every call to get through once the probes among ops, which all succeed, have been answered.
func (b *Bench) closes(c circuit, ops []transcript.Op) {
	probes := sent(ops)
	if len(probes) < c.probes {
		b.NotTested("%s: the client let %s through; CB-05 is about that", name(ops), count(len(probes), "call"))
		return
	}
	for _, op := range after(ops, probes[c.probes-1].Ended.Add(dispatchSlack+b.grace)) {
		b.Expect(op).To(BeLetThrough())
	}
}
