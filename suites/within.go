package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/transcript"
)

// Tolerance of upper bounds beyond the adapter's own overhead: 100 ms or 5 %, whichever is more. A client is judged, not the scheduler.
const (
	leastTolerance   = 100 * time.Millisecond
	toleranceDivisor = 20
)

// Within expects got to be no later than bound. A machine that was late itself makes it a doubt, not a finding.
func (b *Bench) Within(op transcript.Op, what string, got, bound time.Duration) {
	b.within(op, what, got, bound, tolerance(bound))
}

func tolerance(bound time.Duration) time.Duration { return max(leastTolerance, bound/toleranceDivisor) }

func (b *Bench) within(op transcript.Op, what string, got, bound, tolerated time.Duration) {
	b.expectsOf(op)
	needed, late := what+" by "+show(bound), got-bound-tolerated-b.grace
	switch {
	case late > max(decisive*b.doubt, tolerated):
		b.found(needed, show(got))
	case late > transcript.Starved*b.doubt:
		b.breach(needed, show(got))
	case late > 0:
		b.Doubt("%s: %s came at %s, %s late; the machine itself was up to %s late", op.Case, what, show(got), show(got-bound), show(b.doubt))
	}
}

// decisive is how many times the machine's worst lateness something must be late by, for the machine to be out of the question;
// nor is less than the tolerance once more, since a process that starts beside others is later than any timer shows.
const decisive = 10
