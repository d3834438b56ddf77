package suites

import (
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func deadlines() []Rule {
	return []Rule{
		{
			ID: "DL-01", Level: Must, Family: Deadlines, Profile: Basic,
			Says:   "one deadline bounds the whole operation: every attempt, every wait, every byte",
			Source: "gRFC A6, Maximum Number of Retries (the call deadline spans all attempts); AWS Builders' Library, Timeouts, retries and backoff with jitter",
			Under:  "past-the-deadline",
			Why:    "A caller with two seconds left is held for as many timeouts as there are attempts; its own caller has long gone, and threads and connections pile up behind it.",
			Right:  "Take one point in time when the call is read. Every attempt gets what is left until then, never a fresh timeout of its own, and the request is cancelled when it is reached.",
			Holds: func(b *Bench, t transcript.Transcript) {
				for op := range b.Reached(t.In()) {
					deadline := time.Duration(op.Deadline)
					b.Within(op, "the answer", op.Elapsed(), deadline)
					b.Within(op, "the last attempt's first byte", op.LastAttempt().Sub(op.Began), deadline)
					for _, a := range op.Attempts {
						if !a.ReplyLast.Happened() {
							b.Within(op, "the end of every request", leftAt(a).Sub(op.Began), deadline)
						}
					}
				}
			},
		},
		{
			ID: "DL-02", Level: MustNot, Family: Deadlines, Profile: Basic,
			Says:   "no attempt starts after the deadline",
			Source: "gRFC A6, Maximum Number of Retries; AWS Builders' Library, Timeouts, retries and backoff with jitter",
			Under:  "past-the-deadline",
			Needs:  drive.Retries,
			Why:    "The caller has its answer already: the late attempt costs a struggling dependency work that nobody waits for, and a late write is applied after the user was told that it failed.",
			Right:  "Before each attempt, and after each wait, look at the time that is left; with none left, stop.",
			Holds: func(b *Bench, t transcript.Transcript) {
				cutShort := false
				for op := range b.Reached(t.In()) {
					last := op.LastAttempt().Sub(op.Began)
					b.within(op, "the last attempt's first byte", last, time.Duration(op.Deadline), dispatchSlack)
					cutShort = cutShort || b.stoppedByDeadline(op)
				}
				if !cutShort {
					b.Vacuous("the client's attempts were over long before the deadline")
				}
			},
		},
		{
			ID: "DL-03", Level: Should, Family: Deadlines, Profile: Basic,
			Says:   "does not sleep into a certain failure: a wait longer than the time left ends the call at once",
			Source: "RFC 9110, 10.2.3 (the hint is a minimum); AWS Builders' Library, Timeouts, retries and backoff with jitter",
			Under:  "asks-for-a-day",
			Needs:  drive.Retries,
			Why:    "The user stares at a spinner until the deadline, for an answer that was known at once; and every slot that sleeps is one that cannot serve.",
			Right:  "Compare the next wait with the time left before sleeping. If it does not fit, return the last reply now.",
			Holds: func(b *Bench, t transcript.Transcript) {
				ops := t.In()
				for op := range b.Reached(ops) {
					if answered := op.Over(1); answered.Happened() {
						b.Within(op, "the answer", op.Elapsed(), answered.Sub(op.Began))
					}
				}
				if !b.retries(ops) {
					b.Vacuous("the client does not retry, so it never waits")
				}
			},
		},
		{
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
		},
	}
}

// leftAt is when an attempt without a whole reply was over: when the client left it, or else when the fake ended it, at the latest with the
// play.
func leftAt(a journal.Attempt) clock.Moment {
	if a.Gone.Happened() {
		return a.Gone
	}
	return a.Cut
}

// dispatchSlack is how long an attempt that was started in time may take until its first byte is seen, on a machine that is not late.
const dispatchSlack = 25 * time.Millisecond

// stoppedByDeadline tells whether an operation ended for want of time: an attempt came too late, or fewer came than the policy allows.
func (b *Bench) stoppedByDeadline(op transcript.Op) bool {
	if op.LastAttempt().Sub(op.Began) > time.Duration(op.Deadline) {
		return true
	}
	if allowed := b.allowed(op); allowed > 0 {
		return len(op.Attempts) > 1 && len(op.Attempts) < allowed
	}
	waits := op.Waits()
	if len(waits) == 0 {
		return false
	}
	left := time.Duration(op.Deadline) - op.LastAttempt().Sub(op.Began)
	return left <= 4*waits[len(waits)-1]
}

// allowed is how many attempts an operation may have: by the policy that was asked for, or by the client's claim; 0 = not known.
func (b *Bench) allowed(op transcript.Op) int {
	if op.MaxAttempts > 0 {
		return op.MaxAttempts
	}
	return b.Client.Claims.MaxAttempts
}
