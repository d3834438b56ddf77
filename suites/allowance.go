package suites

import (
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/transcript"
)

// allowed is how many attempts an operation may have: by the policy that was asked for, or by the client's claim; 0 = not known.
func (b *Bench) allowed(op transcript.Op) int {
	if op.MaxAttempts > 0 {
		return op.MaxAttempts
	}
	return b.Client.Claims.MaxAttempts
}

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

// mayRetry tells whether the client may be expected to retry a status, by its claims.
func (b *Bench) mayRetry(status int) bool {
	if b.Client.Claims.MaxAttempts == 1 {
		return false
	}
	claimed := b.Client.Claims.RetryStatuses
	return len(claimed) == 0 || slices.Contains(claimed, status)
}
