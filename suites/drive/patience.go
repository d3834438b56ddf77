package drive

import (
	"context"
	"time"
)

// patient gives the context that a call runs in: it ends when ctx does, when the client is done, or when the call's patience, counted
// from now, is over. It has no deadline that a client could see: the play's patience is not the caller's deadline, and a client that took
// it for one would be judged on a hint which no caller gives.
func (f *inFlight) patient(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(f.ctx, cancel)
	if patience == 0 {
		return ctx, func() { stop(); cancel() }
	}
	timer := time.AfterFunc(patience, cancel)
	return ctx, func() { timer.Stop(); stop(); cancel() }
}

// DefaultGrace is how long a client that was told to stop may take to answer: enough to close its files and say "unknown", short enough
// that a play with one stuck client does not feel stuck.
const DefaultGrace = 2 * time.Second

// refused is the answer to a call that never began.
func refused(why string) Result {
	now := time.Now()
	return Result{Outcome: Error, Trouble: why, Began: now, Ended: now}
}
