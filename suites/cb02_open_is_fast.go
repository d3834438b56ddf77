package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func openIsFast() Rule {
	return Rule{
		ID: "CB-02", Level: Should, Family: Breakers, Profile: Isolating,
		Says:   "a call that an open breaker refuses is answered at once, without a connection",
		Source: "Nygard, Release It!, Fail Fast; Azure Architecture Center, Circuit Breaker pattern (the request fails immediately)",
		Under:  "fails-every-call",
		Needs:  drive.Breaker, Declared: true, Lasting: true,
		Why:   "A refusal that takes its time holds the caller's thread as the dead dependency did: the breaker is open, and the outage spreads all the same.",
		Right: "Ask the breaker before anything else, take no connection from the pool for it, and do not retry a refusal: it would be refused again.",
		Holds: func(b *Bench, t transcript.Transcript) {
			_, later, ok := b.tripped(t.In())
			if !ok {
				return
			}
			turned := slices.DeleteFunc(later, letThrough)
			if len(turned) == 0 {
				b.Vacuous("no call was refused")
				return
			}
			var slowest time.Duration
			for _, op := range turned {
				b.Within(op, "the answer of a refused call", op.Elapsed(), refusalTakes)
				slowest = max(slowest, op.Elapsed())
				if n := idleConnections(t, op); n > 0 {
					b.about(op)
					b.breach("a refused call without a connection", fmt.Sprintf("%s that was opened meanwhile, and carried nothing", count(n, "connection")))
				}
			}
			b.Measure("refused calls", len(turned))
			b.Measure("slowest refusal", show(slowest))
		},
	}
}

// refusalTakes is the time within which a refusal is "at once": that of a look at a counter.
const refusalTakes = 10 * time.Millisecond

// idleConnections counts the connections that came while an operation was refused, that no other operation can have opened, and that carried no
// request.
func idleConnections(t transcript.Transcript, refused transcript.Op) (n int) {
	during := func(op transcript.Op, m clock.Moment) bool { return op.Began <= m && m <= op.Ended }
	others := sent(t.Ops())
	for _, c := range t.Record.Connections {
		opened := func(op transcript.Op) bool { return during(op, c.Opened) }
		if c.Requests == 0 && opened(refused) && !slices.ContainsFunc(others, opened) {
			n++
		}
	}
	return n
}
