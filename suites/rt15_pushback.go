package suites

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func pushback() Rule {
	return Rule{
		ID: "RT-15", Level: Should, Family: Retrying, Profile: Polite,
		Says:   "a server that forbids another attempt is obeyed; one that asks for it lifts no limit",
		Source: "gRFC A6, Pushback; stripe-go, shouldRetry (Stripe-Should-Retry)",
		Under:  "forbids-a-retry",
		Needs:  drive.Retries,
		Why:    "The server knows that it will not recover in time, or that this request is what brings it down, and says so. The retries come all the same.",
		Right:  "Look at the header before the status. Let false end the retries, and true do no more than the status would: attempts, budget and deadline stay what they are.",
		Holds: func(b *Bench, t transcript.Transcript) {
			header := http.CanonicalHeaderKey(b.Client.Claims.PushbackHeader)
			switch {
			case header == "":
				b.NotTested("the client documents no header that forbids a retry: claim pushback_header")
				return
			case !slices.Contains(pushbackHeaders(), header):
				b.NotTested("the client documents %s, and the scenario sends %s", header, strings.Join(pushbackHeaders(), ", "))
				return
			}
			came := false
			for op := range b.Reached(t.In()) {
				forbidden, asked := struckBy(op, "X-Should-Retry: false"), struckBy(op, "X-Should-Retry: true")
				switch {
				case forbidden >= 0:
					b.Expect(op).To(stopAfter(forbidden, "reply that forbids one"))
				case asked >= 0:
					b.liftsNoLimit(op, t.In(unasked()[op.Case]))
				case len(op.Attempts) > 1:
					came = true
				default:
					b.NotTested("%s: no other attempt came", op.Case)
				}
			}
			if !came {
				b.Vacuous("the client did not come back after a 503 that forbids nothing")
			}
		},
	}
}

// unasked names, for each case in which another attempt is asked for, the one in which it is not.
func unasked() map[string]string {
	return map[string]string{
		"asks for one, again and again":   "busy for ever",
		"asks for one after the deadline": "busy past the deadline",
	}
}

// liftsNoLimit expects an operation that was asked for more attempts to keep the limits that the client keeps where it is not.
func (b *Bench) liftsNoLimit(op transcript.Op, plain []transcript.Op) {
	most, deadline := b.allowed(op), time.Duration(op.Deadline)
	for _, p := range plain {
		if most > 0 && len(p.Attempts) > most || p.Elapsed() > deadline+leastTolerance {
			b.NotTested("%s: the client does not keep its limits where nothing is asked of it, either", op.Case)
			return
		}
	}
	if most > 0 {
		b.Expect(op).To(BeSentAtMost(most))
	}
	b.Within(op, "the answer", op.Elapsed(), deadline)
}

// pushbackHeaders are the headers in which the scenario forbids a retry, or asks for one, all at once.
func pushbackHeaders() []string {
	return []string{"X-Should-Retry", "Stripe-Should-Retry", "Grpc-Retry-Pushback-Ms"}
}

// struckBy is the place of the first attempt that met a fault whose text says this; -1 without one.
func struckBy(op transcript.Op, text string) int {
	return slices.IndexFunc(op.Attempts, func(a journal.Attempt) bool { return strings.Contains(op.Struck(a.Number), text) })
}
