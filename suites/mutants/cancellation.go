package mutants

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func cancellation() []Mutant {
	return []Mutant{
		{
			Name:   "cannot-be-cancelled",
			Defect: "takes the time that is left from its caller, and not the cancellation",
			Trips:  []string{"DP-04", "CN-01", "CN-02", "CN-03"},
			Policy: func(p steady.Policy) steady.Policy {
				p.Deadline = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
					return context.WithTimeout(context.WithoutCancel(ctx), d)
				}
				return p
			},
		},
		{
			Name:   "sleeps-through-a-cancel",
			Defect: "sleeps its wait out, whoever cancels",
			Trips:  []string{"DL-01", "CN-01"},
			Policy: waiting(func(_ time.Duration, a steady.Attempt, right func(steady.Attempt) time.Duration) time.Duration {
				wait := right(a)
				deaf := min(wait, nap)
				if wait < time.Minute { // a longer one is given up anyway
					time.Sleep(deaf)
				}
				return wait - deaf
			}),
		},
		{
			Name:   "retries-a-cancel",
			Defect: "takes a cancelled attempt for one that failed",
			Trips:  []string{"DP-04", "CN-01", "CN-02", "CN-03"},
			Policy: all(rememberCaller, func(p steady.Policy) steady.Policy {
				p.Deadline = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
					return context.WithTimeout(context.WithValue(context.WithoutCancel(ctx), callerKey{}, ctx), d)
				}
				return p
			}, sending(firstFollowsItsCaller)),
		},
		{
			Name:   "cancelled-is-failed",
			Defect: "tells its caller that a cancelled write was not applied",
			Trips:  []string{"CN-03"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if errors.Is(a.Err, context.Canceled) {
					return drive.Failed
				}
				return steady.Outcome(o, a)
			}),
		},
		{
			Name:   "lingers-after-a-cancel",
			Defect: "answers a caller that cancels at once, and lets go of the request half a second later",
			Trips:  []string{"DP-04"},
			Policy: lingering(cancelled),
		},
	}
}

// nap is how long such a sleep is deaf: long enough to be seen, and over before the play is.
const nap = 3 * time.Second

// firstFollowsItsCaller ends the first attempt of an operation when its caller cancels, and no other.
func firstFollowsItsCaller(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	if steady.Try(req.Context()) > 1 {
		return next.RoundTrip(req)
	}
	caller := req.Context().Value(callerKey{}).(context.Context)
	ctx, cancel := context.WithCancel(req.Context())
	context.AfterFunc(caller, cancel)
	return next.RoundTrip(req.WithContext(ctx))
}

// afterglow is how long a request that is let go of goes on.
const afterglow = 500 * time.Millisecond

// cancelled tells whether its caller ended a request, and not its deadline.
func cancelled(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }

// lingering stops waiting when the attempt ends, and lets go of the request then, or, where it ended so, a while later.
func lingering(so func(context.Context) bool) change {
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		ctx, cancel := context.WithCancel(context.WithoutCancel(req.Context()))
		context.AfterFunc(req.Context(), func() {
			if so(req.Context()) {
				time.AfterFunc(afterglow, cancel)
				return
			}
			cancel()
		})
		return answerOrLeave(req, ctx, next)
	})
}

// answerOrLeave sends a request under a context of its own, and waits for the answer only as long as the request's lasts. One that comes later
// is closed.
func answerOrLeave(req *http.Request, ctx context.Context, next http.RoundTripper) (*http.Response, error) {
	type answer struct {
		reply *http.Response
		err   error
	}
	got := make(chan answer)
	go func() {
		reply, err := next.RoundTrip(req.WithContext(ctx))
		select {
		case got <- answer{reply, err}:
		case <-req.Context().Done():
			if err == nil {
				reply.Body.Close()
			}
		}
	}()
	select {
	case a := <-got:
		return a.reply, a.err
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
}
