package suites

import (
	"net/http"
	"slices"
	"strings"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func retrying() []Rule {
	return []Rule{
		{
			ID: "RT-01", Level: MustNot, Family: Retrying, Profile: Basic,
			Says:   "a permanent client error is sent once",
			Source: "RFC 9110, 15.5; gRFC A6, Validation of retryable status codes",
			Under:  "each-permanent-error",
			Why:    "The request will stay wrong: a customer whose card was declined waits through every retry, the bank sends a decline for each, and real errors drown in the noise.",
			Right:  "List the statuses that may be retried (408, 425, 429, 502, 503, 504) instead of those that may not; hand every other reply to the caller at once.",
			Holds: func(b *Bench, t transcript.Transcript) {
				for op := range b.Reached(t.In()) {
					b.Expect(op).To(BeSentOnce())
					if sent := op.Attempts[0].Status; op.Status != 0 && len(op.Attempts) == 1 {
						b.Expect(op).To(tellStatus(sent))
					}
				}
			},
		},
		{
			ID: "RT-02", Level: Should, Family: Retrying, Profile: Basic,
			Says:   "429 and 503 are retried when the operation is safe or keyed",
			Source: "RFC 6585, 4; RFC 9110, 15.6.4",
			Under:  "busy-twice",
			Needs:  drive.Retries,
			Why:    "A dependency that restarts or sheds load for a second becomes an error page for every user who called in that second.",
			Right:  "Treat 429 and 503 as an invitation to come back later: wait, with backoff and jitter, and try again while attempts and time remain.",
			Holds: func(b *Bench, t transcript.Transcript) {
				ops := t.In()
				if !b.retries(ops) {
					b.NotTested("the client was not seen to retry")
					return
				}
				for op := range b.Reached(ops) {
					if op.KeyHeader != "" && op.Attempts[0].Key == "" {
						b.NotTested("%s: the client sent no key, so stopping is right", op.Case)
						continue
					}
					want := 3
					if most := b.allowed(op); most > 0 {
						want = min(want, most)
					}
					b.Expect(op).To(BeSent(want))
					if n := len(op.Attempts); n == want && succeeded(op.Attempts[n-1].Status) {
						b.Expect(op).To(EndIn(drive.OK))
					}
				}
			},
		},
		{
			ID: "RT-03", Level: Should, Family: Retrying, Profile: Safe,
			Says:   "502 and 504 are retried only for safe or keyed operations",
			Source: "RFC 9110, 9.2.2, 15.6.3, 15.6.5",
			Under:  "gateway-error-after-commit",
			Needs:  drive.Retries,
			Why:    "A 502 does not say whether the origin applied the request. Repeating a write that has no key charges the customer once for every attempt.",
			Right:  "Retry a gateway error for GET, HEAD, PUT and DELETE, and for a POST whose endpoint takes an idempotency key; report any other write as unknown and look it up.",
			Holds: func(b *Bench, t transcript.Transcript) {
				ops := t.In()
				for op := range b.Reached(ops) {
					keyed := op.KeyHeader != "" && op.Attempts[0].Key != ""
					switch {
					case op.Method == http.MethodPost && !keyed:
						b.Expect(op).To(BeSentOnce())
						b.Expect(op).To(ApplyAtMostOnce())
					case op.Struck(op.Attempts[0].Number) == "":
						b.NotTested("%s: the first attempt was answered %d instead", op.Case, op.Attempts[0].Status)
					case b.retries(ops) && b.mayRetry(op.Attempts[0].Status):
						b.Expect(op).To(BeSentAtLeast(2))
						b.Expect(op).To(ApplyAtMostOnce())
					default:
						b.NotTested("%s: the client does not retry this status", op.Case)
					}
				}
				if !b.retries(ops) {
					b.Vacuous("the client was not seen to retry")
				}
			},
		},
		{
			ID: "RT-04", Level: ShouldNot, Family: Retrying, Profile: Safe,
			Says:   "500 is not taken as a licence to repeat a write without a key",
			Source: "RFC 9110, 9.2.2; Stripe API, Idempotent requests (a 500 is saved and replayed like any result)",
			Under:  "server-error-after-commit",
			Needs:  drive.Retries,
			Why:    "A server that crashes after its commit answers 500. Repeating the write applies it again, and crashes it again.",
			Right:  "Report a 500 on an unkeyed write as unknown, and find out by a look-up.",
			Holds: func(b *Bench, t transcript.Transcript) {
				ops := t.In()
				for op := range b.Reached(ops) {
					b.Expect(op).To(BeSentOnce())
					b.Expect(op).To(ApplyAtMostOnce())
				}
				if !b.retries(ops) && !b.Client.Has(drive.Retries) {
					b.Vacuous("the client was not seen to retry")
				}
			},
		},
		{
			ID: "RT-08", Level: MustNot, Family: Retrying, Profile: Safe,
			Says:   "a write without a key is not repeated once it may have reached the server",
			Source: "RFC 9110, 9.2.2 (a client SHOULD NOT, a proxy MUST NOT)",
			Under:  "reply-lost-on-an-unkeyed-write",
			Why:    "The connection broke after the payment was booked. The retry books it again: two payments, two parcels, two e-mails, and a log that shows one success.",
			Right:  "After the first byte is sent, a POST or PATCH without a key gets no second attempt from any layer, the transport included. Tell the caller that the outcome is unknown.",
			Holds: func(b *Bench, t transcript.Transcript) {
				for op := range b.Reached(t.In()) {
					if notWarm(op) {
						b.NotTested("%s: the client did not keep its connection", op.Case)
						continue
					}
					b.Expect(op).To(BeSentOnce())
					b.Expect(op).To(ApplyAtMostOnce())
					b.Expect(op).To(EndIn(drive.Unknown, drive.Error))
				}
			},
		},
		{
			ID: "RT-10", Level: Must, Family: Retrying, Profile: Basic,
			Says:   "attempts are bounded, and the bound means what it says",
			Source: "gRFC A6, Maximum Number of Retries (maxAttempts includes the original); Google SRE Book, 21 (a per-request retry budget of up to three attempts)",
			Under:  "unavailable-for-ever",
			Needs:  drive.Retries,
			Why:    "A knob that says 3 and makes 4 attempts adds a third to the load of every outage; one without a bound never lets the dependency recover.",
			Right:  "Count attempts, not retries, and name the setting for what it counts. After the last one, hand its reply to the caller.",
			Holds: func(b *Bench, t transcript.Transcript) {
				most := 0
				for op := range b.Repeated(t.In()) {
					most = max(most, len(op.Attempts))
					switch allowed := b.allowed(op); {
					case allowed > 0:
						b.Expect(op).To(BeSent(allowed))
					case b.stoppedByDeadline(op):
						b.NotTested("the deadline ended the attempts, not a bound: claim max_attempts")
					default:
						b.expected++
					}
				}
				b.Measure("attempts", most)
			},
		},
		{
			ID: "RT-11", Level: MustNot, Family: Retrying, Profile: Safe,
			Says:   "a success is never repeated",
			Source: "RFC 9110, 9.2.2; gRFC A6, Summary of Retry and Hedging Logic",
			Under:  "success-then-close",
			Why:    "The reply was whole, and then the connection closed. A client that takes the close for a failure does everything twice, on a sound network.",
			Right:  "A reply is over when its framing says so (RFC 9112, 6.3). What the connection does afterwards is no part of it.",
			Holds: func(b *Bench, t transcript.Transcript) {
				for op := range b.Reached(t.In()) {
					if status := op.Attempts[0].Status; !succeeded(status) {
						b.NotTested("%s: the first attempt was answered %d", op.Case, status)
						continue
					}
					b.Expect(op).To(BeSentOnce())
				}
			},
		},
		{
			ID: "RT-14", Level: Must, Family: Retrying, Profile: Safe,
			Says:   "a repeated request is the same, whole request",
			Source: "RFC 9112, 6.3; Go net/http, Transport (a request body must be able to be had again)",
			Under:  "fails-with-each-body",
			Needs:  drive.Retries,
			Why:    "The body was read by the first attempt, so the second sends an empty order, or half of one, and it is accepted.",
			Right:  "Keep the bytes, or a way to read them again. Where there is none, do not retry.",
			Holds: func(b *Bench, t transcript.Transcript) {
				for op := range b.Repeated(t.In()) {
					b.Expect(op).To(repeatItself())
				}
			},
		},
	}
}

// mayRetry tells whether the client may be expected to retry a status, by its claims.
func (b *Bench) mayRetry(status int) bool {
	if b.Client.Claims.MaxAttempts == 1 {
		return false
	}
	claimed := b.Client.Claims.RetryStatuses
	return len(claimed) == 0 || slices.Contains(claimed, status)
}

// notWarm tells whether an operation was to travel on a kept connection and did not.
func notWarm(op transcript.Op) bool { return op.Warm && op.Attempts[0].Use == 1 }

func succeeded(status int) bool { return status >= 200 && status <= 299 }

func tellStatus(sent int) matcher {
	return matcher{
		needed: "the status that the server sent, " + http.StatusText(sent),
		holds:  func(op transcript.Op) bool { return op.Status == sent },
		seen:   func(op transcript.Op) string { return "the client said " + said(op) },
	}
}

// repeatItself holds for an operation whose attempts are all the same request. What the fake did not read of an attempt is not compared.
func repeatItself() matcher {
	return matcher{
		needed: "the same request on every attempt, whole",
		holds:  func(op transcript.Op) bool { return difference(op) == "" },
		seen:   difference,
	}
}

func difference(op transcript.Op) string {
	var said []string
	first := op.Attempts[0]
	differ := func(k int, what string, was, is any) {
		if was != is {
			said = append(said, "#"+itoa(k)+" has "+what+" "+quote(is)+", #1 had "+quote(was))
		}
	}
	var whole string // the digest of the first body that was read whole
	for i, a := range op.Attempts {
		k := i + 1
		differ(k, "method", first.Method, a.Method)
		differ(k, "target", first.Target, a.Target)
		differ(k, "Content-Type", first.Header.Get("Content-Type"), a.Header.Get("Content-Type"))
		differ(k, "key", first.Key, a.Key)
		if a.DeclaredLength >= 0 && first.DeclaredLength >= 0 {
			differ(k, "Content-Length", first.DeclaredLength, a.DeclaredLength)
		}
		if !a.BodyRead.Happened() {
			continue
		}
		if a.BodyError != "" {
			said = append(said, "#"+itoa(k)+" has a body that ends early: "+a.BodyError)
			continue
		}
		if whole == "" {
			whole = a.BodySHA256
		}
		if a.BodySHA256 != whole {
			said = append(said, "#"+itoa(k)+" has another body, of "+count(int(a.BodyBytes), "byte"))
		}
	}
	return strings.Join(said, "; ")
}
