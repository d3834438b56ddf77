package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func cancelInFlight() Rule {
	return Rule{
		ID: "CN-02", Level: MustNot, Family: Cancellation, Profile: Safe,
		Says:   "a cancelled attempt is not taken for a failure and retried",
		Source: "gRFC A6, Summary of Retry and Hedging Logic; AWS SDK for Go v2, aws/retry (NoRetryCanceledError)",
		Under:  "cancelled-in-flight",
		Needs:  drive.Cancel,
		Why:    "Everybody who gives up makes the client try again: giving up is what people do in an outage.",
		Right:  "Look at the cancellation before looking at the error: with the operation cancelled, no error is retryable.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				b.endsWithTheCancel(op)
			}
		},
	}
}
