package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func cancelWhileWaiting() Rule {
	return Rule{
		ID: "CN-01", Level: Must, Family: Cancellation, Profile: Safe,
		Says:   "cancelling during a wait returns at once, and nothing more is sent",
		Source: "Go context package, Context; gRFC A6, Exponential Backoff",
		Under:  "cancelled-while-waiting",
		Needs:  drive.Cancel,
		Why:    "The user has closed the page and the job was stopped, but the worker sleeps on for half a minute, and then sends the request after all.",
		Right:  "Wait on the timer and on the cancellation together.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				b.endsWithTheCancel(op)
			}
		},
	}
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
