package suites

import (
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// endsInTime expects an operation whose replies never come to their end to be over by its deadline, on both sides of the wire.
func (b *Bench) endsInTime(op transcript.Op) {
	deadline := time.Duration(op.Deadline)
	b.Within(op, "the answer", op.Elapsed(), deadline)
	b.Expect(op).To(EndIn(drive.Failed, drive.Unknown, drive.Error))
	b.letsGo(op, deadline)
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

// endsWithTheCancel expects the caller to be answered at once when it cancels, and nothing to be sent from then on.
func (b *Bench) endsWithTheCancel(op transcript.Op) {
	if op.Elapsed() < time.Duration(op.CancelAfter) {
		b.NotTested("%s: the client had answered before it was cancelled: %s", op.Case, said(op))
		return
	}
	b.Within(op, "the answer", op.Elapsed(), time.Duration(op.CancelAfter))
	b.within(op, "the last attempt's first byte", op.LastAttempt().Sub(op.Began), time.Duration(op.CancelAfter), dispatchSlack)
}

// dispatchSlack is how long an attempt that was started in time may take until its first byte is seen, on a machine that is not late.
const dispatchSlack = 25 * time.Millisecond
