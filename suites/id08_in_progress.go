package suites

import (
	"net/http"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func stillInProgress() Rule {
	return Rule{
		ID: "ID-08", Level: Should, Family: Idempotency, Profile: Safe,
		Says:   "a key that is still in progress (409) is waited out with the same key, and not reported as failed",
		Source: "draft-ietf-httpapi-idempotency-key-header, Error Handling (409: another request with the key is being processed); stripe-go, shouldRetry (a 409 is retried)",
		Under:  "still-in-progress",
		Needs:  drive.IdempotencyKey,
		Why:    "The first attempt timed out at the client and not at the server. Its retry is told that the order is being placed, the client reports a failure, and a moment later the order is there.",
		Right:  "After an attempt whose end you did not see, take a 409 as: not yet. Wait, ask again with the same key while attempts and time last, and say unknown if they do not.",
		Holds: func(b *Bench, t transcript.Transcript) {
			asked, again := false, false
			for op := range b.Repeated(t.In()) {
				k := answeredFirst(op, http.StatusConflict)
				switch {
				case op.Attempts[0].Key == "":
					b.NotTested("%s: the client sends no key", op.Case)
					continue
				case k < 0:
					b.NotTested("%s: no attempt came while the first was running", op.Case)
					continue
				}
				n := len(op.Attempts)
				last := lastOf(op)
				asked, again = true, again || n > k+1
				b.Expect(op).To(UseOneKey())
				b.Expect(op).To(ApplyAtMostOnce())
				switch {
				case succeeded(last.Status):
					b.Expect(op).To(EndIn(drive.OK))
				case last.Status == http.StatusConflict && n == k+1:
					b.staysInDoubt(op)
					b.asksAgain(op, n)
				default:
					b.staysInDoubt(op)
				}
			}
			if asked && !again {
				b.Vacuous("the client never asked again after a 409")
			}
		},
	}
}

// asksAgain expects a client to send an operation once more after a 409 that was its n-th answer, unless it has reason to stop there.
func (b *Bench) asksAgain(op transcript.Op, n int) {
	most := b.allowed(op)
	switch {
	case most == 0:
		b.NotTested("%s: how many attempts were left, only the client knows: claim max_attempts", op.Case)
	case n >= most:
		b.NotTested("%s: its %s were used up", op.Case, count(most, "attempt"))
	case !b.mayRetry(http.StatusConflict):
		b.NotTested("%s: the client claims statuses that it retries, and 409 is not among them", op.Case)
	case b.stoppedRightly(op, n+1): // noted
	default:
		b.Expect(op).To(matcher{
			needed: "another attempt after the 409, with the same key",
			holds:  func(transcript.Op) bool { return false },
			seen:   func(op transcript.Op) string { return "none; the client said " + said(op) },
		})
	}
}
