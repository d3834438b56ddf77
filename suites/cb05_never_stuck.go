package suites

import (
	"fmt"
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func neverStuck() Rule {
	return Rule{
		ID: "CB-05", Level: Must, Family: Breakers, Profile: Isolating,
		Says:   "no way in which a probe can end leaves the breaker half open for ever, nor does a crowd that fails at once leave it open for ever",
		Source: "Azure Architecture Center, Circuit Breaker pattern (recoverability); resilience4j documentation, CircuitBreaker (a permitted call must be released or recorded)",
		Under:  "probes-without-a-verdict",
		Needs:  drive.Breaker, Declared: true, Lasting: true,
		Why:   "The one probe was cancelled, or met a 404 that counts for nothing; the breaker waits for its verdict, and refuses a dependency that has been well for hours, until somebody restarts the client.",
		Right: "Every permit comes back: with a verdict, or given back without one, also when the call panics or is cancelled. Time alone leads out of open.",
		Holds: func(b *Bench, t transcript.Transcript) {
			c, ok := b.circuit()
			if !ok {
				return
			}
			for _, end := range []string{"a 404", "a time-out", "a cancelled call"} {
				b.comesOut(c, t, end)
			}
		},
	}
}

// comesOut expects some call to get through within two cooldowns and a half of a probe that ended in a certain way.
func (b *Bench) comesOut(c circuit, t transcript.Transcript, end string) {
	crowd, check, probe, calls := t.In("before "+end+", a crowd"), t.In("before "+end+", open"), t.In(end), t.In("after "+end)
	switch {
	case len(crowd) == 0 || len(calls) == 0: // not asked for, which is noted
		return
	case len(sent(crowd)) < c.threshold:
		b.NotTested("%s: %d failures are too few for the client's breaker, which opens at %d", end, len(sent(crowd)), c.threshold)
		return
	case slices.ContainsFunc(check, letThrough):
		b.NotTested("%s: the client's breaker did not open; CB-01 is about that", end)
		return
	case len(sent(probe)) == 0:
		b.NotTested("%s: it was not let through as a probe", end)
	}
	through := sent(calls)
	b.expectsOf(calls[0])
	if len(through) == 0 {
		span := calls[len(calls)-1].Began.Sub(calls[0].Began)
		b.breach(
			fmt.Sprintf("after %s, calls that get through when the dependency is well", end),
			fmt.Sprintf("none of %d in %s, with a cooldown of %s", len(calls), show(span), show(c.cooldown)))
	}
}
