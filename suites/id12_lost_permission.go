package suites

import (
	"net/http"

	"github.com/brownout-dev/brownout/suites/transcript"
)

func lostPermission() Rule {
	return Rule{
		ID: "ID-12", Level: Must, Family: Idempotency, Profile: Safe,
		Says:   "a permission that is denied on a retry ends the retries, and leaves the outcome unknown",
		Source: "RFC 9110, 15.5.2 and 15.5.4 (a 403 is not to be repeated with the same credentials), 9.2.2",
		Under:  "permission-lost",
		Why:    "The first attempt paid, and its reply was lost. Then the token ran out. A client that takes the 403 for the answer tells the customer that nothing was charged; one that goes on gets the account locked.",
		Right:  "Stop at the 401 or 403. It speaks of this attempt alone: what the attempt before it did is still unknown, so say that.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				k := answeredFirst(op, http.StatusUnauthorized, http.StatusForbidden)
				if k < 1 || op.Attempts[0].Effect == 0 {
					b.NotTested("%s: the client did not come back after the lost reply", op.Case)
					continue
				}
				if s := op.Attempts; s[k].Status == http.StatusUnauthorized && len(s) > k+1 && otherCredentials(s[k], s[k+1]) {
					k++ // once, as it may (RFC 9110, 15.5.2)
				}
				b.Expect(op).To(stopAfter(k, "denial"))
				b.staysInDoubt(op)
			}
		},
	}
}
