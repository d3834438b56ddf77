package suites

import "github.com/brownout-dev/brownout/suites/transcript"

func drippingHead() Rule {
	return Rule{
		ID: "DL-06", Level: Must, Family: Deadlines, Profile: Basic,
		Says:   "a status line and headers that drip, and interim replies without end, cannot outlive the deadline",
		Source: "RFC 9112, 4 and 5; RFC 9110, 15.2 (interim responses); AWS Builders' Library, Timeouts, retries and backoff with jitter",
		Under:  "dripping-head",
		Why:    "Many clients begin to count when the headers are there, or start anew with every byte or every 1xx: before them there is no limit at all.",
		Right:  "One deadline from the call to the last byte of the body. A limit for the head is a second one, beside it.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				b.endsInTime(op)
			}
		},
	}
}
