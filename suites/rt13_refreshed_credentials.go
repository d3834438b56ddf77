package suites

import (
	"fmt"
	"net/http"

	"github.com/brownout-dev/brownout/suites/transcript"
)

func refreshedCredentials() Rule {
	return Rule{
		ID: "RT-13", Level: MustNot, Family: Retrying, Profile: Basic,
		Says:   "a 401 is not answered with the same credentials again: with new ones, once, it may be",
		Source: "RFC 9110, 15.5.2 (a client MAY repeat the request with a new or replaced Authorization; weaker than here)",
		Under:  "credentials-refused",
		Why:    "A token has run out, and every client in the fleet goes on with it: the identity service sees an attack, locks the accounts, and the outage lasts until people unlock them.",
		Right:  "Fetch new credentials, one fetch for all that wait for them, and repeat the request once with those. If they are refused as well, that is the answer.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if op.Attempts[0].Status != http.StatusUnauthorized {
					b.NotTested("%s: the first attempt was answered %d", op.Case, op.Attempts[0].Status)
					continue
				}
				b.Expect(op).To(askAgainWithOthers())
			}
		},
	}
}

// askAgainWithOthers holds for an operation that was sent once, or a second time with other credentials.
func askAgainWithOthers() matcher {
	same := func(op transcript.Op) int {
		n := 0
		for _, a := range op.Attempts[1:] {
			if !otherCredentials(op.Attempts[0], a) {
				n++
			}
		}
		return n
	}
	return matcher{
		needed: "1 attempt, or a second one with other credentials",
		holds:  func(op transcript.Op) bool { return len(op.Attempts) == 1 || len(op.Attempts) == 2 && same(op) == 0 },
		seen: func(op transcript.Op) string {
			return fmt.Sprintf("%s, %d of them with the credentials that had been refused", count(len(op.Attempts), "attempt"), same(op))
		},
	}
}
