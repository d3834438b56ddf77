package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func fullJitter() Rule {
	return Rule{
		ID: "BO-04", Level: Should, Family: Backoff, Profile: Polite,
		Says:   "a client that claims full jitter draws its waits evenly between zero and the ceiling",
		Source: "AWS Architecture Blog, Exponential Backoff And Jitter (random_between(0, min(cap, base * 2 ** attempt)))",
		Under:  "unavailable-for-ever",
		Needs:  drive.Retries,
		Why:    "Whoever plans for full jitter plans with its spread: a fleet that comes back over the whole of the wait. With half of that spread the peak is twice as high; with a larger one, people wait longer than was promised.",
		Right:  "random() * min(cap, base * factor^k), with nothing added and nothing cut off. If another kind is meant, claim that one.",
		Holds: func(b *Bench, t transcript.Transcript) {
			if b.claims(drive.FullJitter) {
				b.drawsEvenly(t.In(unavailable))
			}
		},
	}
}

// claims tells whether the client claims one of these kinds of jitter, and a base to know its waits by; otherwise it says what would be needed.
func (b *Bench) claims(kinds ...drive.Jitter) bool {
	claims := b.Client.Claims
	for _, j := range kinds {
		switch {
		case claims.Jitter == j && claims.BaseMS > 0:
			return true
		case claims.Jitter == j:
			b.NotTested("how long its waits are is not known: claim base_ms, multiplier and cap_ms")
			return false
		}
	}
	b.Unsupported("the client claims no such jitter")
	return false
}
