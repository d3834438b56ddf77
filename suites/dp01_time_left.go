package suites

import (
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func timeLeftTravels() Rule {
	return Rule{
		ID: "DP-01", Level: Should, Family: Propagation, Profile: Isolating,
		Says:   "each attempt tells the dependency how much of the operation's time is left, less each time",
		Source: "gRPC documentation, Deadlines (Deadline Propagation); Google SRE Book, 22 (propagate deadlines); Envoy documentation, x-envoy-expected-rq-timeout-ms",
		Under:  "busy-for-two-pauses",
		Needs:  drive.DeadlinePropagation, Declared: true,
		Why:   "The dependency works for a minute on the answer to a question whose asker left after a second, and everybody whom it asks in turn does so too.",
		Right: "Before each attempt, take the operation's deadline less the present moment, and send that. Not the timeout of the configuration, and not what was left at the first attempt.",
		Holds: func(b *Bench, t transcript.Transcript) {
			h, ok := b.header()
			if !ok {
				return
			}
			for op := range b.Reached(t.In()) {
				b.tellsTimeLeft(t, op, h)
			}
		},
	}
}

// fairMargin is the part of the time left that a client may keep for itself, for the way back and its own work, without having claimed it.
const fairMargin = 5

// tellsTimeLeft expects each attempt to tell about as much as is left, and less than the attempt before it. A client that bounds its attempts tells
// no more than that bound, and need not tell less of it.
func (b *Bench) tellsTimeLeft(t transcript.Transcript, op transcript.Op, h drive.DeadlineHeader) {
	b.expectsOf(op)
	claims := b.Client.Claims
	var before told
	for i, a := range op.Attempts {
		w, said, err := tells(t, a, h)
		attempt := fmt.Sprintf("attempt %d", i+1)
		switch {
		case !said:
			b.found(h.Name+" on every attempt", attempt+" without it")
			return
		case err != nil:
			b.found(h.Name+" that can be read", attempt+": "+err.Error())
			return
		}
		due := timeLeftAt(op, a)
		for _, bound := range []int{claims.AttemptTimeoutMS, claims.BoundMS} {
			if bound > 0 {
				due = min(due, time.Duration(bound)*time.Millisecond)
			}
		}
		least := due - due/fairMargin - w.step - leastTolerance - b.grace
		if short := least - w.left; short > transcript.Starved*b.doubt {
			b.breach("about "+show(due)+" told as left", attempt+": "+show(w.left))
			return
		} else if short > 0 {
			b.Doubt("%s: %s told %s of %s; the machine was up to %s late", op.Case, attempt, show(w.left), show(due), show(b.doubt))
		}
		bounded := claims.AttemptTimeoutMS > 0 && due == time.Duration(claims.AttemptTimeoutMS)*time.Millisecond
		if i > 0 && !bounded && w.left >= before.left && op.Attempts[i].FirstByte.Sub(op.Attempts[i-1].FirstByte) > w.step+transcript.TimerSlack {
			b.found("less told with each attempt", fmt.Sprintf("%s: %s, after %s", attempt, show(w.left), show(before.left)))
			return
		}
		before = w
	}
	b.Measure("attempts looked at", len(op.Attempts))
}
