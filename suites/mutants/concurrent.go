package mutants

import (
	"context"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func concurrent() []Mutant {
	return []Mutant{
		{
			Name:   "leaves-attempts-running",
			Defect: "stops waiting when an attempt's timer fires, and leaves the request running",
			Trips:  []string{"ID-09", "DP-04", "CN-03"},
			Policy: all(attemptTimeout(shortAttempt), abandoning(steady.Huge)),
			Hello:  claimAttemptTimeout(shortAttempt),
		},
		{
			Name:   "gives-up-late",
			Defect: "ends a request a while after its attempt's timer has fired, and the next attempt has begun",
			Trips:  []string{"ID-09", "DP-04"},
			Policy: all(attemptTimeout(shortAttempt), abandoning(300*time.Millisecond)),
			Hello:  claimAttemptTimeout(shortAttempt),
		},
	}
}

// abandoning leaves a request whose attempt has timed out running for so long, or until the operation's deadline.
func abandoning(longer time.Duration) change {
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		end, ok := req.Context().Deadline()
		if !ok {
			end = time.Now().Add(longer)
		}
		own, cancel := context.WithDeadline(context.WithoutCancel(req.Context()), end)
		context.AfterFunc(req.Context(), func() {
			if timedOut(req, nil, nil) {
				time.AfterFunc(longer, cancel)
				return
			}
			cancel()
		})
		type answer struct {
			reply *http.Response
			err   error
		}
		came := make(chan answer, 1)
		go func() {
			reply, err := next.RoundTrip(req.WithContext(own))
			came <- answer{reply, err}
		}()
		select {
		case a := <-came:
			return a.reply, a.err
		case <-req.Context().Done():
			go func() {
				if a := <-came; a.err == nil {
					a.reply.Body.Close()
				}
			}()
			return nil, context.Cause(req.Context())
		}
	})
}
