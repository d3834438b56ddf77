package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func mayRunTwice() Rule {
	return Rule{
		ID: "HG-01", Level: Must, Family: Hedges, Profile: Safe,
		Says:   "only what may run twice is hedged: never a write without a key, nor with another key",
		Source: "gRFC A6, Hedging Policy (only for methods that are safe to execute multiple times); RFC 9110, 9.2.2",
		Under:  "slow-for-two-seconds",
		Needs:  drive.Hedging, Declared: true,
		Why: "A hedge is not a retry after a failure: both attempts run, and both are meant to succeed. A charge that takes two seconds is made twice, on " +
			"the slowest day of the year and for every customer.",
		Right: "Hedge reads. Hedge a write only where all its attempts carry one key, and the service is known to honour it.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In("a write without a key", "a patch without a key", "a keyed write")) {
				b.Expect(op).To(b.runOnceAtATime())
			}
			for _, op := range t.In("a read") {
				if len(b.hedges(op)) == 0 {
					b.Vacuous("the client did not hedge a read of two seconds either")
				}
			}
		},
	}
}

// runOnceAtATime holds for an operation of which no two attempts were under way together, but for such as carry one key.
func (b *Bench) runOnceAtATime() matcher {
	return matcher{
		needed: "one attempt at a time",
		holds: func(op transcript.Op) bool {
			keys := op.Keys()
			return len(b.hedges(op)) == 0 || op.KeyHeader != "" && len(keys) == 1 && keys[0] != ""
		},
		seen: func(op transcript.Op) string {
			return fmt.Sprintf("%d under way together, %s%s", b.mostBesides(op), count(len(op.Keys()), "key"), effects(op))
		},
	}
}
