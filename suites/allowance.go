package suites

import (
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// allowed is how many attempts an operation may have: by the policy that was asked for, or by the client's claim; 0 = not known.
func (b *Bench) allowed(op transcript.Op) int {
	if op.MaxAttempts > 0 {
		return op.MaxAttempts
	}
	return b.Client.Claims.MaxAttempts
}

// end is how long an operation may last: until its deadline, or for as long as the client claims that any call lasts, if that is less.
func (b *Bench) end(op transcript.Op) time.Duration {
	end := time.Duration(op.Deadline)
	if own := b.Client.Claims.Bound(); own > 0 {
		end = min(end, own)
	}
	return end
}

// stoppedByDeadline tells whether an operation ended for want of time: an attempt came too late, or fewer came than the policy allows and
// no other would have fitted in.
func (b *Bench) stoppedByDeadline(op transcript.Op) bool {
	if op.LastAttempt().Sub(op.Began) > time.Duration(op.Deadline) {
		return true
	}
	allowed := b.allowed(op)
	return len(op.Attempts) > 1 && (allowed == 0 || len(op.Attempts) < allowed) && b.outOfTime(op)
}

// outOfTime tells whether the client's next wait may have been longer than the time that was left to an operation.
func (b *Bench) outOfTime(op transcript.Op) bool {
	waits := op.Waits()
	next := b.ceiling(op, len(waits)+1)
	if len(waits) > 0 {
		next = max(next, transcript.LikelyNext*slices.Max(waits))
	}
	if op.Deadline == 0 || next == 0 {
		return false
	}
	return time.Duration(op.Deadline)-op.LastAttempt().Sub(op.Began) <= next
}

// heldBack tells whether an operation may rightly have had fewer attempts than its policy allows: a budget or a breaker, which all operations
// share, refused the next one, or the time did.
func (b *Bench) heldBack(op transcript.Op) bool {
	return b.Client.Has(drive.Budget) || b.Client.Has(drive.Breaker) || b.outOfTime(op)
}

// stoppedRightly notes an operation that was held back before n attempts as not tested.
func (b *Bench) stoppedRightly(op transcript.Op, n int) bool {
	if len(op.Attempts) >= n || !b.heldBack(op) {
		return false
	}
	b.NotTested("%s: a budget, a breaker or the deadline may have forbidden a further attempt", op.Case)
	return true
}

// mayRetry tells whether the client may be expected to retry a status, by its claims.
func (b *Bench) mayRetry(status int) bool {
	if b.Client.Claims.MaxAttempts == 1 {
		return false
	}
	claimed := b.Client.Claims.RetryStatuses
	return len(claimed) == 0 || slices.Contains(claimed, status)
}
