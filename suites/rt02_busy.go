package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func busy() Rule {
	return Rule{
		ID: "RT-02", Level: Should, Family: Retrying, Profile: Basic,
		Says:   "429 and 503 are retried when the operation is safe or keyed",
		Source: "RFC 6585, 4; RFC 9110, 15.6.4",
		Under:  "busy-twice",
		Needs:  drive.Retries,
		Why:    "A dependency that restarts or sheds load for a second becomes an error page for every user who called in that second.",
		Right:  "Treat 429 and 503 as an invitation to come back later: wait, with backoff and jitter, and try again while attempts and time remain.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeatable(t.In()) {
				want, most := 3, b.allowed(op)
				switch {
				case b.stoppedRightly(op, want):
				case most == 0:
					b.Expect(op).To(BeSentAtLeast(2)) // how many attempts remain, only the client knows
				default:
					b.Expect(op).To(BeSent(min(want, most)))
				}
				if len(op.Attempts) == want && succeeded(lastOf(op).Status) {
					b.Expect(op).To(EndIn(drive.OK))
				}
			}
		},
	}
}
