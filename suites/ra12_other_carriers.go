package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func otherCarriers() Rule {
	return Rule{
		ID: "RA-12", Level: May, Family: RetryAfter, Profile: Polite,
		Says:   "a hint in another header than Retry-After may be heeded, but an epoch is not slept as seconds, nor milliseconds as seconds",
		Source: "RFC 9110, 10.2.3; draft-ietf-httpapi-ratelimit-headers, up to 06 (RateLimit-Reset is a number of seconds; many services send an epoch)",
		Under:  "unusual-hints",
		Needs:  drive.Retries,
		Why:    "The header that one service counts in seconds another one fills with the seconds since 1970. A client that learned the first sleeps for fifty years at the second, or gives up where the next second would have done.",
		Right:  "Heed the headers that the service in question documents, in its units, and none else. Take what no sane server can mean for no hint.",
		Holds: func(b *Bench, t transcript.Transcript) {
			usual := false
			for _, op := range t.In("429, and no more") {
				usual = usual || len(op.Attempts) > 1
			}
			for op := range b.Reached(t.In(otherHeaders()...)) {
				switch {
				case !usual:
					b.NotTested("%s: the client does not come back after a plain 429", op.Case)
					continue
				case b.stoppedRightly(op, 2): // noted
				default:
					b.Expect(op).To(comeBackAsUsual())
				}
			}
			for _, op := range t.In(append(otherHeaders(), "302 with Retry-After", "413 with Retry-After")...) {
				if waits := op.Waits(); len(waits) > 0 {
					b.Measure("wait after "+op.Case, show(waits[0]))
				}
			}
		},
	}
}

// otherHeaders are the cases in which a 429 says when to come back, but not in Retry-After.
func otherHeaders() []string {
	return []string{"429 with RateLimit-Reset as an epoch", "429 with X-RateLimit-Reset as an epoch", "429 with Retry-After-Ms"}
}

func comeBackAsUsual() matcher {
	return matcher{
		needed: "another attempt, as after a plain 429",
		holds:  func(op transcript.Op) bool { return len(op.Attempts) > 1 },
		seen: func(op transcript.Op) string {
			return "none within " + show(op.Elapsed()) + "; the client said " + said(op)
		},
	}
}
