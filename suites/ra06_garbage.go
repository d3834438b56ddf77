package suites

import (
	"slices"
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
			usual := tellsOfARetry(t.In(plain503))
			for _, s := range t.Cases() {
				ops := t.In(s)
				if s == plain503 {
					continue
				}
				for op := range b.Reached(ops) {
					b.Expect(op).To(notFallOver())
					if usual && endedByItsHint(op) {
						b.Advise(op, "another attempt, as after a plain 503, or at least the reply", "neither; the client said "+said(op))
					}
				}
				retried = b.waitsOut(ops, 1, time.Second) || retried // "1.5" and "1, 2" may be taken for a second or more
			}
			if !retried {
				b.Vacuous("the client never sent a second attempt")
			}
		},
	}
}

// plain503 is the case without a hint: it shows what the client does of its own accord.
const plain503 = "503, and no more"

// tellsOfARetry tells whether a client comes back after a plain 503, each time, and hands on what it is answered. These operations are as many as those of
// any other case and come first: what keeps a client from coming back for another reason, such as a pool with room for few origins, strikes them too.
func tellsOfARetry(plain []transcript.Op) bool {
	return len(plain) > 0 && !slices.ContainsFunc(plain, func(op transcript.Op) bool { return len(op.Attempts) < 2 || op.Status == 0 })
}

// endedByItsHint tells whether a client neither came back nor handed on the reply that it had: most likely it has thrown an exception. A client that
// stops, and says what it was told, may mean to.
func endedByItsHint(op transcript.Op) bool {
	return len(op.Attempts) == 1 && op.Attempts[0].ReplyLast.Happened() && op.Status == 0 && op.Outcome != drive.OK && !op.GaveUp
}

// notFallOver holds for an operation that did not end in a panic or a crash of the client.
func notFallOver() matcher {
	return matcher{
		needed: "an answer",
		holds:  func(op transcript.Op) bool { return op.Trouble == "" || op.GaveUp },
		seen:   func(op transcript.Op) string { return op.Trouble },
	}
}
