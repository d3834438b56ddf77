package suites

import "github.com/brownout-dev/brownout/suites/transcript"

func finiteTimeout() Rule {
	return Rule{
		ID: "DL-04", Level: Must, Family: Deadlines, Profile: Basic,
		Says:   "every call has a finite timeout, also where the caller sets none",
		Source: "AWS Builders' Library, Timeouts, retries and backoff with jitter (set a timeout on any remote call)",
		Under:  "never-answers-no-deadline",
		Why:    "One dependency that stops answering holds every worker that calls it, for ever; the service is down although nothing in it has failed.",
		Right:  "Give the client a bound of its own that applies when the caller gives none, and state it (claim bound_ms).",
		Holds: func(b *Bench, t transcript.Transcript) {
			bound := b.Client.Claims.Bound()
			for op := range b.Reached(t.In()) {
				switch {
				case bound > 0 && op.GaveUp && op.Elapsed() < bound:
					b.NotTested("%s: the client claims a bound of %s, and the play waited for %s", op.Case, show(bound), show(op.Elapsed()))
				case bound > 0:
					b.Within(op, "the answer", op.Elapsed(), bound)
				case op.GaveUp:
					b.Advise(op, "an answer within a bound; if the client has one that is longer, claim it (bound_ms)",
						"no answer after "+show(op.Elapsed()))
				default:
					b.expected++
					b.Measure("answered after", show(op.Elapsed()))
				}
			}
		},
	}
}
