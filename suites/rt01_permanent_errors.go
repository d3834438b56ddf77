package suites

import (
	"net/http"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func permanentErrors() Rule {
	return Rule{
		ID: "RT-01", Level: MustNot, Family: Retrying, Profile: Basic,
		Says:   "a permanent client error is sent once",
		Source: "RFC 9110, 15.5; gRFC A6, Validation of retryable status codes",
		Under:  "each-permanent-error",
		Why:    "The request will stay wrong: a customer whose card was declined waits through every retry, the bank sends a decline for each, and real errors drown in the noise.",
		Right:  "List the statuses that may be retried (408, 425, 429, 502, 503, 504) instead of those that may not; hand every other reply to the caller at once.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				if refreshed(op) {
					b.NotTested("%s: it was asked again with other credentials, once, as it may be", op.Case)
					continue
				}
				b.Expect(op).To(BeSentOnce())
				if sent := op.Attempts[0].Status; op.Status != 0 && len(op.Attempts) == 1 {
					b.Expect(op).To(tellStatus(sent))
				}
			}
		},
	}
}

// refreshed tells whether a 401 was followed by one attempt with other credentials (RFC 9110, 15.5.2).
func refreshed(op transcript.Op) bool {
	return len(op.Attempts) == 2 && op.Attempts[0].Status == http.StatusUnauthorized && otherCredentials(op.Attempts[0], op.Attempts[1])
}

func otherCredentials(a, b journal.Attempt) bool {
	return a.Header.Get("Authorization") != b.Header.Get("Authorization")
}

func tellStatus(sent int) matcher {
	return matcher{
		needed: "the status that the server sent, " + http.StatusText(sent),
		holds:  func(op transcript.Op) bool { return op.Status == sent },
		seen:   func(op transcript.Op) string { return "the client said " + said(op) },
	}
}
