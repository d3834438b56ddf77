package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// soonAfter is how long a cancelled operation may keep its connection.
const soonAfter = time.Second

func cancelledIsNotUndone() Rule {
	return Rule{
		ID: "CN-03", Level: Should, Family: Cancellation, Profile: Safe,
		Says:   "a write that was cancelled after it was sent is reported as unknown, and leaves no connection open",
		Source: "RFC 9110, 9.2.2",
		Under:  "cancelled-in-flight",
		Needs:  drive.Cancel,
		Why:    "Cancelling rolls nothing back. Told that it failed, the user orders again, and gets two.",
		Right:  "After the request was sent, a cancelled write is unknown until it is looked up. Close its connection.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if len(op.Effects) > 0 {
					b.Expect(op).To(EndIn(drive.Unknown, drive.Error))
				}
				b.letsGo(op, time.Duration(op.CancelAfter)+soonAfter)
			}
		},
	}
}
