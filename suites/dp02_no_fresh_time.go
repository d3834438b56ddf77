package suites

import (
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func noFreshTime() Rule {
	return Rule{
		ID: "DP-02", Level: Must, Family: Propagation, Profile: Isolating,
		Says:   "no attempt tells the dependency more time than is left of the operation",
		Source: "gRPC documentation, Deadlines; Google SRE Book, 22 (propagate deadlines); Kubernetes issue 117313 (the same timeout on each retry)",
		Under:  "busy-for-two-pauses",
		Needs:  drive.DeadlinePropagation, Declared: true,
		Why:   "A retry that promises a fresh ten seconds is worked on for ten seconds, though its caller leaves in one: the more there are retries, the more of all work is for nobody.",
		Right: "One deadline, as a point in time, for the whole operation; each attempt tells what is left until then, rounded down.",
		Holds: func(b *Bench, t transcript.Transcript) {
			h, ok := b.header()
			if !ok {
				return
			}
			for op := range b.Repeated(t.In()) {
				for i, a := range op.Attempts[1:] {
					attempt := fmt.Sprintf("attempt %d", i+2)
					w, said, err := tells(t, a, h)
					if !said || err != nil {
						b.NotTested("%s: %s told no time that can be read; DP-01 is about that", op.Case, attempt)
						continue
					}
					b.neverMore(op, attempt, w, timeLeftAt(op, a), leastTolerance)
				}
			}
		},
	}
}

// neverMore expects an attempt to tell no more than is left. The client's clock began a little later than the fake's, by its adapter's overhead and by
// what the machine was late, so that it may honestly believe in a little more.
func (b *Bench) neverMore(op transcript.Op, attempt string, w told, left, tolerance time.Duration) {
	b.expectsOf(op)
	needed, seen := show(left)+" or less told as left", attempt+": "+show(w.left)
	switch more := w.left - left - w.step - tolerance - b.grace; {
	case more > transcript.Starved*b.doubt:
		b.breach(needed, seen)
	case more > 0:
		b.Doubt("%s: needed %s; seen %s; the machine was up to %s late", op.Case, needed, seen, show(b.doubt))
	}
}
