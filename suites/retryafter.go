package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func retryAfter() []Rule {
	return []Rule{
		{
			ID: "RA-01", Level: Must, Family: RetryAfter, Profile: Polite,
			Says:   "waits at least the seconds that the server asked for, or gives up",
			Source: "RFC 9110, 10.2.3; RFC 6585, 4",
			Under:  "unavailable-for-two-seconds",
			Needs:  drive.Retries,
			Why:    "The server said when it would be ready. Every earlier retry is turned away, counts against the limit, and with some providers lengthens the ban.",
			Right:  "Read Retry-After on 429 and 503, and take the larger of it and the own backoff; jitter goes on top, never below.",
			Holds: func(b *Bench, t transcript.Transcript) {
				for op := range b.Repeated(t.In()) {
					b.Expect(op).To(WaitAtLeast(2*time.Second, 429, 503))
				}
			},
		},
		{
			ID: "RA-02", Level: Must, Family: RetryAfter, Profile: Polite,
			Says:   "honours Retry-After as a date, to the second",
			Source: "RFC 9110, 10.2.3, 5.6.7",
			Under:  "unavailable-until-a-date",
			Needs:  drive.Retries,
			Why:    "A client that reads only numbers takes a date for no hint at all, and hammers exactly the servers that announced their maintenance.",
			Right:  "Try delay-seconds, then the HTTP-date forms; the wait is the date less now.",
			Holds: func(b *Bench, t transcript.Transcript) {
				for op := range b.Repeated(t.In()) {
					// Three seconds ahead, cut to a whole second when it was written down.
					b.Expect(op).To(WaitAtLeast(2*time.Second, 429, 503))
				}
			},
		},
		{
			ID: "RA-04", Level: Must, Family: RetryAfter, Profile: Polite,
			Says:   "a date in the past means now: the own backoff applies, no negative timer and no hot loop",
			Source: "RFC 9110, 10.2.3",
			Under:  "retry-date-in-the-past",
			Needs:  drive.Retries,
			Why:    "Clocks differ by seconds, so dates in the past are ordinary. A negative wait returns at once: thousands of requests a second from one client.",
			Right:  "A hint of zero or less is no hint: wait the own backoff.",
			Holds: func(b *Bench, t transcript.Transcript) {
				b.backsOff(t.In())
			},
		},
		{
			ID: "RA-05", Level: Should, Family: RetryAfter, Profile: Polite,
			Says:   "Retry-After: 0 permits a prompt retry; it neither forbids retrying nor switches backoff off",
			Source: "RFC 9110, 10.2.3 (delay-seconds is a non-negative integer)",
			Under:  "retry-after-zero",
			Needs:  drive.Retries,
			Why:    "A proxy that always adds Retry-After: 0 turns a backoff into a hot loop, or, read as false, turns retries off.",
			Right:  "Take the larger of the hint and the own backoff.",
			Holds: func(b *Bench, t transcript.Transcript) {
				if b.Client.Has(drive.Retries) {
					for op := range b.Reached(t.In()) {
						b.Expect(op).To(BeSentAtLeast(2))
					}
				}
				b.backsOff(t.In())
			},
		},
		{
			ID: "RA-06", Level: Must, Family: RetryAfter, Profile: Polite,
			Says:   "a value that cannot be understood falls back to the own backoff; never an exception, never at once",
			Source: "RFC 9110, 10.2.3 (delay-seconds = 1*DIGIT)",
			Under:  "nonsense-retry-after",
			Needs:  drive.Retries,
			Why:    "Parsed to NaN, to zero or to a negative number, a strange header becomes an endless loop without a pause, or an exception in the one place where nobody expects one.",
			Right:  "Accept digits only and dates only; treat everything else as if the field were absent.",
			Holds: func(b *Bench, t transcript.Transcript) {
				for _, s := range cases(t) {
					ops := t.In(s)
					for op := range b.Reached(ops) {
						b.Expect(op).To(notFallOver())
					}
					b.backsOff(ops)
				}
			},
		},
		{
			ID: "RA-07", Level: Must, Family: RetryAfter, Profile: Polite,
			Says:   "a huge value never blocks beyond the deadline, and is never cut down to an early retry",
			Source: "RFC 9110, 10.2.3",
			Under:  "asks-for-a-day",
			Needs:  drive.Retries,
			Why:    "A worker sleeps for a day, or for 484,289 hours when an epoch second was taken for a delay; no alarm rings, since nothing has failed.",
			Right:  "A hint beyond the time left ends the call with the reply that carried it.",
			Holds: func(b *Bench, t transcript.Transcript) {
				ops := t.In()
				for op := range b.Reached(ops) {
					b.Expect(op).To(BeSentOnce())
					b.Within(op, "the answer", op.Elapsed(), time.Duration(op.Deadline))
				}
				if !b.retries(ops) {
					b.Vacuous("the client does not retry, so it never waits")
				}
			},
		},
	}
}

// cases gives the names of a transcript's cases, in order.
func cases(t transcript.Transcript) []string {
	var names []string
	for _, op := range t.Operations {
		if len(names) == 0 || names[len(names)-1] != op.Case {
			names = append(names, op.Case)
		}
	}
	return names
}

// notFallOver holds for an operation that did not end in a panic or a crash of the client.
func notFallOver() matcher {
	return matcher{
		needed: "an answer",
		holds:  func(op transcript.Op) bool { return op.Trouble == "" || op.GaveUp },
		seen:   func(op transcript.Op) string { return op.Trouble },
	}
}
