package drive

import (
	"context"
	"time"
)

// patient gives the context that a call runs in: it ends when ctx does, when the client is done, or when the call's patience, counted
// from now, is over.
func (f *inFlight) patient(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	cancel := func() {}
	if patience > 0 {
		ctx, cancel = context.WithTimeout(ctx, patience)
	}
	ctx, cancelDone := context.WithCancel(ctx)
	stop := context.AfterFunc(f.ctx, cancelDone)
	return ctx, func() { stop(); cancelDone(); cancel() }
}

// DefaultGrace is how long a client that was told to stop may take to answer: enough to close its files and say "unknown", short enough
// that a play with one stuck client does not feel stuck.
const DefaultGrace = 2 * time.Second

// refused is the answer to a call that never began.
func refused(why string) Result {
	now := time.Now()
	return Result{Outcome: Error, Trouble: why, Began: now, Ended: now}
}
