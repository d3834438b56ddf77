package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func certainFailure() Rule {
	return Rule{
		ID: "DL-03", Level: Should, Family: Deadlines, Profile: Basic,
		Says:   "does not sleep into a certain failure: a wait longer than the time left ends the call at once",
		Source: "RFC 9110, 10.2.3 (the hint is a minimum); AWS Builders' Library, Timeouts, retries and backoff with jitter",
		Under:  "asks-for-a-day",
		Needs:  drive.Retries,
		Why:    "The user stares at a spinner until the deadline, for an answer that was known at once; and every slot that sleeps is one that cannot serve.",
		Right:  "Compare the next wait with the time left before sleeping. If it does not fit, return the last reply now.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In()
			for op := range b.Reached(ops) {
				if last := op.Over(len(op.Attempts)); last.Happened() {
					b.Within(op, "the answer, with nothing left to try,", op.Elapsed(), last.Sub(op.Began))
				}
			}
			b.wantsRetries(ops)
		},
	}
}
