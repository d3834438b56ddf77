package suites

import (
	"strconv"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func liveTimer() Rule {
	return Rule{
		ID: "DL-08", Level: Must, Family: Deadlines, Profile: Basic,
		Says:   "an attempt that follows a timed-out attempt has an attempt timeout of its own, not the timer that has fired already",
		Source: "AWS Builders' Library, Timeouts, retries and backoff with jitter; WHATWG DOM, 3.2 (an AbortSignal that is aborted stays so)",
		Under:  "silent-once-then-slow",
		Why:    "One slow answer and the retries are lost too: each is cancelled in the moment in which it is sent. The dependency gets a burst of requests that nobody waits for, and the caller an error, although the second attempt would have been answered.",
		Right:  "Make the timer, the signal or the context inside the loop: for each attempt the attempt timeout or the time left, whichever is less.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				b.livesAgain(op, b.Client.Claims.AttemptTimeout())
			}
		},
	}
}

// liveShare is how much of its attempt timeout an attempt must be given: the answer comes then. What is missing is for the way there, and for
// machines that are late.
const liveShare = 0.8

// livesAgain expects every attempt after one that was left unanswered to be answered, or to be waited for as long as its own timer allows.
func (b *Bench) livesAgain(op transcript.Op, timeout time.Duration) {
	least := time.Duration(liveShare * float64(timeout))
	if len(op.Attempts) == 1 {
		b.goesOnUnseen(op)
		return
	}
	for k, a := range op.Attempts[1:] {
		switch open := leftAt(a).Sub(a.FirstByte); {
		case op.Attempts[k].ReplyLast.Happened(): // this one follows an answer
		case a.ReplyLast.Happened():
			b.expectsOf(op)
		case b.end(op)-a.FirstByte.Sub(op.Began) < timeout:
			b.NotTested("%s: too little time was left to attempt %d", op.Case, k+2)
		case least-open > transcript.Starved*b.doubt:
			b.about(op)
			b.breach("attempt "+strconv.Itoa(k+2)+" to be waited for, after a timeout, for "+show(least)+" or more of the "+show(timeout)+" that an attempt has",
				"the client left it after "+show(open))
		default:
			b.about(op)
			b.Doubt("%s: the client left attempt %d after %s; on this machine the answer may have come too late", op.Case, k+2, show(open))
		}
	}
	if last := lastOf(op); succeeded(last.Status) && last.ReplyLast.Happened() {
		b.Expect(op).To(EndIn(drive.OK))
	}
}

// goesOnUnseen advises a client that says it retries, and took its time after its only attempt had timed out: an attempt under a timer that has
// fired may be over before its first byte. It cannot be proved: the client may be slow to tell its caller. What one looks up it has time for.
func (b *Bench) goesOnUnseen(op transcript.Op) {
	only := op.Attempts[0]
	idle := op.Ended.Sub(leftAt(only))
	switch {
	case len(op.LookUps) > 0 || only.ReplyLast.Happened() || b.allowed(op) == 1 || !b.Client.Has(drive.Retries) || b.heldBack(op) || op.Outcome == drive.OK,
		idle <= leastTolerance+b.grace+transcript.Starved*b.doubt:
		b.NotTested("%s: no attempt followed the one that timed out", op.Case)
	default:
		b.Advise(op, "an attempt after the one that timed out", "none came, though the client went on for "+show(idle)+" more: perhaps each was cancelled before it was sent")
	}
}
