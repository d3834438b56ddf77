package mutants

import (
	"context"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// timers are the mutants that get the timer of one connection or one attempt wrong.
func timers() []Mutant {
	return []Mutant{
		{
			Name:   "no-connect-timeout",
			Defect: "waits for a connection until the deadline, and claims a second",
			Trips:  []string{"DL-07"},
			Policy: func(p steady.Policy) steady.Policy {
				p.ConnectTimeout = 0
				return p
			},
		},
		{
			Name:   "dials-twice",
			Defect: "tries each connection a second time, which it does not count",
			Trips:  []string{"DL-07"},
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				reply, err := next.RoundTrip(req)
				if err == steady.ErrConnectTimeout {
					return next.RoundTrip(req)
				}
				return reply, err
			}),
		},
		{
			Name:   "one-timer-for-all-attempts",
			Defect: "keeps the timer that has fired, so that every later attempt is cancelled as soon as it is sent",
			Trips:  []string{"DL-08"},
			From:   Guarded,
			Policy: afterTimeout(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				return cutAfter(5*time.Millisecond, req, next)
			}),
		},
		{
			Name:   "sends-nothing-after-a-timeout",
			Defect: "makes its later attempts with a signal that is aborted already, so that nothing of them is sent",
			Trips:  []string{"DL-08"},
			Policy: all(attemptTimeout(time.Second), afterTimeout(func(*http.Request, http.RoundTripper) (*http.Response, error) {
				return nil, steady.ErrAttemptTimeout
			})),
			Hello: claimAttemptTimeout(time.Second),
		},
		{
			Name:   "half-the-timer-each-time",
			Defect: "gives each attempt half the time of the one before it",
			Trips:  []string{"DL-08"},
			From:   Guarded,
			Policy: func(p steady.Policy) steady.Policy {
				return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					return cutAfter(p.AttemptTimeout>>(steady.Try(req.Context())-1), req, next)
				})(p)
			},
		},
		{
			Name:   "timer-covers-the-body",
			Defect: "stops an attempt's timer when the body is read, and not when it begins",
			Trips:  []string{"DL-09"},
			From:   Guarded,
			Policy: func(p steady.Policy) steady.Policy {
				return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					return wholeAttempt(p.AttemptTimeout, req, next)
				})(p)
			},
		},
		{
			Name:   "timer-covers-the-body-of-writes",
			Defect: "reads the replies to its writes under the attempt's timer",
			Trips:  []string{"DL-09"},
			From:   Guarded,
			Policy: func(p steady.Policy) steady.Policy {
				return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					if req.Method == http.MethodGet {
						return next.RoundTrip(req)
					}
					return wholeAttempt(2*p.AttemptTimeout, req, next)
				})(p)
			},
		},
	}
}

// cutAfter ends an attempt whose reply's head is not there in time.
func cutAfter(d time.Duration, req *http.Request, next http.RoundTripper) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	timer := time.AfterFunc(d, func() { cancel(steady.ErrAttemptTimeout) })
	defer timer.Stop()
	return next.RoundTrip(req.WithContext(ctx))
}

// wholeAttempt ends an attempt, its body included.
func wholeAttempt(d time.Duration, req *http.Request, next http.RoundTripper) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), d)
	context.AfterFunc(req.Context(), cancel) // the attempt's own context ends when its reply has been read
	return next.RoundTrip(req.WithContext(ctx))
}

type timedOutKey struct{}

// afterTimeout sends an attempt otherwise where an earlier one of its operation was ended by its timer.
func afterTimeout(trip func(*http.Request, http.RoundTripper) (*http.Response, error)) change {
	return func(p steady.Policy) steady.Policy {
		right := p.Deadline
		p.Deadline = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
			return right(context.WithValue(ctx, timedOutKey{}, new(bool)), d)
		}
		return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			timedOut := req.Context().Value(timedOutKey{}).(*bool)
			if *timedOut {
				return trip(req, next)
			}
			reply, err := next.RoundTrip(req)
			*timedOut = context.Cause(req.Context()) == steady.ErrAttemptTimeout
			return reply, err
		})(p)
	}
}
