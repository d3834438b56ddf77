package mutants

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// errOver ends an operation whose own clock runs longer than its deadline.
var errOver = errors.New("the deadline has passed")

type endKey struct{}

// overtime lets the waits of an operation run on for longer than its deadline. An attempt that begins in time still ends with the
// deadline; one that begins late is sent if late, and else ends the operation.
func overtime(longer time.Duration, late bool) change {
	clock := func(p steady.Policy) steady.Policy {
		p.Deadline = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.WithValue(ctx, endKey{}, time.Now().Add(d)), d+longer)
		}
		return p
	}
	attempts := sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		end, _ := req.Context().Value(endKey{}).(time.Time)
		switch inTime := time.Now().Before(end); {
		case !inTime && late:
			return next.RoundTrip(req)
		case !inTime:
			return nil, errOver
		}
		ctx, cancel := context.WithDeadlineCause(req.Context(), end, errOver)
		context.AfterFunc(req.Context(), cancel) // the attempt's own context ends when its reply has been read
		return next.RoundTrip(req.WithContext(ctx))
	})
	return all(clock, attempts, never(endedIn(errOver)))
}
