package mutants

import (
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func pushback() []Mutant {
	return []Mutant{
		{
			Name:   "deaf-to-pushback",
			Defect: "documents a header that forbids retries, and does not look at it",
			Trips:  []string{"RT-15"},
			Policy: unheard(func(steady.Operation) bool { return true }),
		},
		{
			Name:   "deaf-to-pushback-on-writes",
			Defect: "looks at the header that forbids retries after reads only",
			Trips:  []string{"RT-15"},
			Policy: unheard(func(o steady.Operation) bool { return !o.Safe() }),
		},
		{
			Name:   "deaf-to-later-pushback",
			Defect: "looks at the header that forbids retries in its first reply only",
			Trips:  []string{"RT-15"},
			Policy: unheard(func(o steady.Operation) bool { return o.Attempts > 1 }),
		},
		{
			Name:   "as-often-as-it-is-asked",
			Defect: "retries without a limit while the server asks for it",
			Trips:  []string{"RT-15"},
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				for {
					reply, err := next.RoundTrip(req)
					if err != nil || reply.Header.Get(steady.Pushback) != "true" || req.ContentLength > 0 {
						return reply, err
					}
					reply.Body.Close()
					select {
					case <-time.After(asSoonAsAsked):
					case <-req.Context().Done():
						return nil, req.Context().Err()
					}
				}
			}),
		},
		{
			Name:   "as-late-as-it-is-asked",
			Defect: "comes back when a server asks for that, be it after the deadline",
			Trips:  []string{"RT-15"},
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				reply, err := next.RoundTrip(req)
				if err != nil || reply.Header.Get(steady.Pushback) != "true" {
					return reply, err
				}
				if asked, ok := steady.RetryAfter(reply.Header, time.Now()); ok {
					time.Sleep(asked)
				}
				return reply, nil
			}),
		},
		{
			Name:   "same-credentials-again",
			Defect: "repeats a request once when it is challenged, with the credentials that were refused",
			Trips:  []string{"RT-13"},
			Policy: also(both(challenged, func(o steady.Operation, _ steady.Attempt) bool { return o.Attempts == 1 })),
		},
		{
			Name:   "loops-on-a-challenge",
			Defect: "repeats a challenged request with the same credentials for as long as it has attempts",
			Trips:  []string{"RT-13"},
			Policy: also(challenged),
		},
		{
			Name:   "refreshes-for-ever",
			Defect: "fetches new credentials after every refusal, and repeats the request with each of them",
			Trips:  []string{"RT-13"},
			Policy: all(also(challenged), onRetries(func(req *http.Request) {
				if was := req.Header.Get("Authorization"); was != "" {
					req.Header.Set("Authorization", was+fresh(req))
				}
			})),
		},
	}
}

// asSoonAsAsked is how long a client waits that does as it is asked.
const asSoonAsAsked = 100 * time.Millisecond

// unheard drops the header that forbids a retry after some attempts.
func unheard(when func(steady.Operation) bool) change {
	return func(p steady.Policy) steady.Policy {
		right := p.Retryable
		p.Retryable = func(o steady.Operation, a steady.Attempt) bool {
			if when(o) && a.Header != nil {
				a.Header = a.Header.Clone()
				a.Header.Del(steady.Pushback)
			}
			return right(o, a)
		}
		return p
	}
}

// challenged says that credentials are wanted for an operation of which nothing can have been done yet.
func challenged(o steady.Operation, a steady.Attempt) bool {
	return answered(http.StatusUnauthorized)(o, a) && a.Header.Get("WWW-Authenticate") != "" && !o.Doubt
}
