package suites

import (
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
