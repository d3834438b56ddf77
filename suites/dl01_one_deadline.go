package suites

import (
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func oneDeadline() Rule {
	return Rule{
		ID: "DL-01", Level: Must, Family: Deadlines, Profile: Basic,
		Says:   "one deadline bounds the whole operation: every attempt, every wait, every byte",
		Source: "gRFC A6, Maximum Number of Retries (the call deadline spans all attempts); AWS Builders' Library, Timeouts, retries and backoff with jitter",
		Under:  "past-the-deadline",
		Why:    "A caller with two seconds left is held for as many timeouts as there are attempts; its own caller has long gone, and threads and connections pile up behind it.",
		Right:  "Take one point in time when the call is read. Every attempt gets what is left until then, never a fresh timeout of its own, and the request is cancelled when it is reached.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				deadline := time.Duration(op.Deadline)
				b.Within(op, "the answer", op.Elapsed(), deadline)
				b.Within(op, "the last attempt's first byte", op.LastAttempt().Sub(op.Began), deadline)
				b.letsGo(op, deadline)
			}
		},
	}
}

// letsGo expects every attempt of an operation that got no whole reply to be over by a bound from the operation's beginning. One that got
// its reply was over then; what became of its connection later is another matter.
func (b *Bench) letsGo(op transcript.Op, bound time.Duration) {
	for _, a := range op.Attempts {
		if !a.ReplyLast.Happened() {
			b.Within(op, "the end of every request", leftAt(a).Sub(op.Began), bound)
		}
	}
}

// leftAt is when an attempt without a whole reply was over: when the client left it, or else when the fake ended it, at the latest with the
// play.
func leftAt(a journal.Attempt) clock.Moment {
	if a.Gone.Happened() {
		return a.Gone
	}
	return a.Cut
}
