package suites

import (
	"github.com/onsi/gomega"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func tooEarly() Rule {
	return Rule{
		ID: "RT-07", Level: Should, Family: Retrying, Profile: Polite,
		Says:   "425 is retried, and not as early data",
		Source: "RFC 8470, 5.2",
		Under:  "too-early",
		Needs:  drive.Retries,
		Why:    "The server asked for the same request again, a moment later, with the handshake done; the user gets an error page instead.",
		Right:  "Treat 425 like 503, and send the retry outside of early data.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeatable(t.In()) {
				if b.Client.Claims.MaxAttempts == 1 {
					b.NotTested("the client makes one attempt")
					continue
				}
				if b.stoppedRightly(op, 2) {
					continue
				}
				b.Expect(op).To(BeSent(2))
				for _, a := range op.Attempts[1:] {
					b.Expect(a.Header.Values("Early-Data")).To(gomega.BeEmpty(), "Early-Data on a retry")
				}
			}
		},
	}
}
