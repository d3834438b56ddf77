package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func garbageHint() Rule {
	return Rule{
		ID: "RA-06", Level: Must, Family: RetryAfter, Profile: Polite,
		Says:   "a value that cannot be understood falls back to the own backoff; never an exception, never at once",
		Source: "RFC 9110, 10.2.3 (delay-seconds = 1*DIGIT)",
		Under:  "nonsense-retry-after",
		Needs:  drive.Retries,
		Why:    "Parsed to NaN, to zero or to a negative number, a strange header becomes an endless loop without a pause, or an exception in the one place where nobody expects one.",
		Right:  "Accept digits only and dates only; treat everything else as if the field were absent.",
		Holds: func(b *Bench, t transcript.Transcript) {
			retried := false
			b.comesBack(t.In())
			for _, s := range t.Cases() {
				ops := t.In(s)
				for op := range b.Reached(ops) {
					b.Expect(op).To(notFallOver())
				}
				retried = b.waitsOut(ops, 1, time.Second) || retried // "1.5" and "1, 2" may be taken for a second or more
			}
			if !retried {
				b.Vacuous("the client never sent a second attempt")
			}
		},
	}
}

// notFallOver holds for an operation that did not end in a panic or a crash of the client.
func notFallOver() matcher {
	return matcher{
		needed: "an answer",
		holds:  func(op transcript.Op) bool { return op.Trouble == "" || op.GaveUp },
		seen:   func(op transcript.Op) string { return op.Trouble },
	}
}
