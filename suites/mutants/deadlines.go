package mutants

import (
	"context"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func deadlines() []Mutant {
	return []Mutant{
		{
			Name:   "budget-per-attempt",
			Defect: "gives each attempt the whole time, and looks at no clock between them",
			Trips:  []string{"DL-01", "DL-02", "DL-03", "DL-05", "DL-06", "RA-07", "RA-09", "CX-08"},
			Policy: all(func(p steady.Policy) steady.Policy {
				p.Deadline = func(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
					return context.WithCancel(ctx)
				}
				return p
			}, anyWait, sending(ownTimeout)),
		},
		{
			Name:   "deadline-for-the-first-attempt-only",
			Defect: "cuts the first attempt at the deadline, and gives each later one a fresh timeout",
			Trips:  []string{"DL-01"},
			Policy: all(rememberCaller, sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				if steady.Try(req.Context()) == 1 {
					return next.RoundTrip(req)
				}
				return ownTimeout(req.WithContext(withoutDeadline(req.Context())), next)
			})),
		},
		{
			Name:   "no-deadline-for-puts",
			Defect: "keeps the deadline of every method but PUT, which has a timeout of its own",
			Trips:  []string{"DL-01"},
			Policy: all(rememberCaller, sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				if req.Method != http.MethodPut {
					return next.RoundTrip(req)
				}
				return ownTimeout(req.WithContext(withoutDeadline(req.Context())), next)
			})),
		},
		{
			Name:   "deadline-rounded-up",
			Defect: "keeps its deadlines in steps of five seconds, rounded up",
			Trips:  []string{"DL-01", "DL-02", "DL-05", "DL-06", "CX-08"},
			Policy: func(p steady.Policy) steady.Policy {
				const step = 5 * time.Second
				p.Deadline = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
					return context.WithTimeout(ctx, (d+step-1)/step*step)
				}
				return p
			},
		},
		{
			Name:   "attempt-goes-on",
			Defect: "answers its caller at the deadline, and leaves the request running",
			Trips:  []string{"DL-01", "DL-05", "DL-06", "DP-04", "CN-03"},
			Policy: sending(abandon),
		},
		{
			Name:   "late-attempt",
			Defect: "looks at the clock before a wait and not after it, so that an attempt begins after the deadline",
			Trips:  []string{"DL-01", "DL-02"},
			Policy: overtime(time.Second, true),
		},
		{
			Name:   "sleeps-to-the-deadline",
			Defect: "starts a wait that the deadline must cut short",
			Trips:  []string{"DL-03"},
			Policy: anyWait,
		},
		{
			Name:   "no-bound",
			Defect: "waits for ever where the caller sets no deadline",
			Trips:  []string{"DL-04"},
			Policy: unbounded,
			Hello:  claiming(func(c *drive.Claims) { c.BoundMS = 0 }),
		},
		{
			Name:   "claims-a-bound",
			Defect: "claims to end by itself after thirty seconds, and does not",
			Trips:  []string{"DL-04"},
			Policy: unbounded,
		},
		{
			Name:   "bound-per-attempt",
			Defect: "bounds each attempt of a call without a deadline, but not the call",
			Trips:  []string{"DL-04"},
			Policy: func(p steady.Policy) steady.Policy {
				p.AttemptTimeout, p.Bound = p.Bound, steady.Huge
				return p
			},
		},
	}
}

// anyWait is begun, whatever time is left.
func anyWait(p steady.Policy) steady.Policy {
	p.Worth = func(time.Duration, time.Duration) bool { return true }
	return p
}

func unbounded(p steady.Policy) steady.Policy {
	p.Bound = steady.Huge
	return p
}

// timeout is what a client of this kind has as its default: longer than the deadline of any scenario that ends in silence, and shorter
// than a play's patience.
const timeout = 5 * time.Second

// ownTimeout gives the attempt a timeout of its own, whatever is left of the operation's time.
func ownTimeout(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	return wholeAttempt(timeout, req, next)
}

type callerKey struct{}

// rememberCaller keeps the caller's context within reach of the attempts.
func rememberCaller(p steady.Policy) steady.Policy {
	p.Deadline = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		return context.WithTimeout(context.WithValue(ctx, callerKey{}, ctx), d)
	}
	return p
}

// withoutDeadline is the attempt's context, but that it ends with the caller's instead of with the operation's deadline.
func withoutDeadline(attempt context.Context) context.Context {
	caller := attempt.Value(callerKey{}).(context.Context)
	ctx, cancel := context.WithCancel(context.WithoutCancel(attempt))
	context.AfterFunc(caller, cancel)
	return ctx
}

// abandon stops waiting when the attempt's context ends, while the request goes on until the service ends it.
func abandon(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	return answerOrLeave(req, context.WithoutCancel(req.Context()), next)
}
