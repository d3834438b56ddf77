package suites

import (
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func inboundDeadline() Rule {
	return Rule{
		ID: "DP-03", Level: Must, Family: Propagation, Profile: Isolating,
		Says:   "the caller's deadline is adopted, however short: no attempt tells the dependency more time than the caller gave",
		Source: "gRPC documentation, Deadlines (Deadline Propagation); Google SRE Book, 22 (propagate deadlines)",
		Under:  "little-time-left",
		Needs:  drive.DeadlinePropagation, Declared: true,
		Why:   "The user's page has three hundred milliseconds left, and the client asks the dependency to take its usual thirty seconds for it.",
		Right: "Take the lesser of the caller's deadline and the own default, less a margin for the way back; with nothing left, send nothing.",
		Holds: func(b *Bench, t transcript.Transcript) {
			h, ok := b.header()
			if !ok {
				return
			}
			for op := range b.Reached(t.In()) {
				for i, a := range op.Attempts {
					attempt := fmt.Sprintf("attempt %d", i+1)
					w, said, err := tells(t, a, h)
					switch {
					case !said || err != nil:
						b.NotTested("%s: %s told no time that can be read; DP-01 is about that", op.Case, attempt)
					case w.step >= time.Duration(op.Deadline):
						b.NotTested("%s: %s cannot be told in steps of %s", op.Case, show(time.Duration(op.Deadline)), show(w.step))
					case h.Format == drive.RFC3339Time: // a date is compared by two readings of the clock, of which the client's was later
						b.neverMore(op, attempt, w, timeLeftAt(op, a), dispatchSlack)
					default: // no clock is needed to compare two numbers
						b.Expect(op).To(tellAtMost(attempt, w.left, time.Duration(op.Deadline)+w.step))
					}
				}
			}
		},
	}
}

// tellAtMost holds for an operation of which an attempt told no more than that.
func tellAtMost(attempt string, left, most time.Duration) matcher {
	return matcher{
		needed: "no more than the caller's " + show(most) + " told as left",
		holds:  func(transcript.Op) bool { return left <= most },
		seen:   func(transcript.Op) string { return attempt + ": " + show(left) },
	}
}
