package mutants

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// rekeyingAfter gives every attempt after an answer of some kind another key than before.
func rekeyingAfter(burnt func(req *http.Request, reply *http.Response, err error) bool) change {
	return func(p steady.Policy) steady.Policy {
		var keys sync.Map // what took the place of a key
		return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			own := keyOf(req)
			if now, ok := keys.Load(own); ok {
				req = req.Clone(req.Context())
				rekey(req, now.(string))
			}
			reply, err := next.RoundTrip(req)
			if own != "" && burnt(req, reply, err) {
				keys.Store(own, fresh(req))
			}
			return reply, err
		})(p)
	}
}

// told says that the answer has one of these statuses.
func told(status ...int) func(*http.Request, *http.Response, error) bool {
	return func(_ *http.Request, reply *http.Response, err error) bool {
		return err == nil && slices.Contains(status, reply.StatusCode)
	}
}

// toldAgain says that the answer is an error which the server says it has given before.
func toldAgain(_ *http.Request, reply *http.Response, err error) bool {
	return err == nil && reply.StatusCode/100 == 5 && replayed(reply.Header)
}

// timedOut says that the request ended with its attempt's own timer.
func timedOut(req *http.Request, _ *http.Response, _ error) bool {
	return context.Cause(req.Context()) == steady.ErrAttemptTimeout
}
