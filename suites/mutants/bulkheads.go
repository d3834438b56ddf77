package mutants

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/failsafe-go/failsafe-go/bulkhead"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func bulkheads() []Mutant {
	return []Mutant{
		{
			Name:   "no-limit",
			Defect: "has a bulkhead that is wired to nothing",
			Trips:  []string{"BH-01"},
			From:   Isolating,
			Policy: withoutBulkhead,
		},
		{
			Name:   "one-place-too-many",
			Defect: "claims eight places, and has nine",
			Trips:  []string{"BH-01"},
			From:   Isolating,
			Policy: func(p steady.Policy) steady.Policy {
				p.Bulkhead = func(string) steady.Bulkhead { return bulkhead.New[any](steady.UsualPlaces + 1) }
				return p
			},
		},
		{
			Name:   "one-bulkhead-for-all",
			Defect: "has eight places for all that it calls",
			Trips:  []string{"BH-02"},
			From:   Isolating,
			Policy: func(p steady.Policy) steady.Policy {
				one := bulkhead.New[any](steady.UsualPlaces)
				p.Bulkhead = func(string) steady.Bulkhead { return one }
				return p
			},
		},
		{
			Name:   "keeps-the-place-of-a-time-out",
			Defect: "gives no place back when a call times out",
			Trips:  []string{"BH-03"},
			From:   Isolating,
			Policy: leaking(func(_ *http.Response, err error) bool { return errors.Is(err, context.DeadlineExceeded) }),
		},
		{
			Name:   "keeps-the-place-of-a-cancelled-call",
			Defect: "gives no place back when a call is cancelled",
			Trips:  []string{"BH-03"},
			From:   Isolating,
			Policy: leaking(func(_ *http.Response, err error) bool { return errors.Is(err, context.Canceled) }),
		},
		{
			Name:   "keeps-the-place-of-a-broken-call",
			Defect: "gives no place back when a connection breaks",
			Trips:  []string{"BH-03"},
			From:   Isolating,
			Policy: leaking(func(_ *http.Response, err error) bool {
				return err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
			}),
		},
		{
			Name:   "keeps-the-place-of-a-refused-call",
			Defect: "gives no place back when a call is answered with an error of its caller's",
			Trips:  []string{"BH-03"},
			From:   Isolating,
			Policy: leaking(func(r *http.Response, err error) bool { return err == nil && r.StatusCode/100 == 4 }),
		},
		{
			Name:   "queues-without-a-clock",
			Defect: "looks at the deadline only when it has got a place",
			Trips:  []string{"BH-03"},
			From:   Isolating,
			Policy: func(p steady.Policy) steady.Policy {
				p.Bulkhead = func(string) steady.Bulkhead { return timeless{bulkhead.New[any](steady.UsualPlaces)} }
				return p
			},
		},
	}
}

func withoutBulkhead(p steady.Policy) steady.Policy {
	p.Bulkhead = nil
	return p
}

// leaking has a bulkhead around the transport that does not give back the places of calls that end in a certain way.
func leaking(keeps func(*http.Response, error) bool) change {
	return all(withoutBulkhead, func(p steady.Policy) steady.Policy {
		var mu sync.Mutex
		of := map[string]steady.Bulkhead{}
		at := func(host string) steady.Bulkhead {
			mu.Lock()
			defer mu.Unlock()
			if of[host] == nil {
				of[host] = bulkhead.New[any](steady.UsualPlaces)
			}
			return of[host]
		}
		return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			places := at(req.URL.Host)
			if err := places.AcquirePermit(req.Context()); err != nil {
				return nil, err
			}
			reply, err := next.RoundTrip(req)
			if !keeps(reply, err) {
				places.ReleasePermit()
			}
			return reply, err
		})(p)
	})
}

// timeless waits for a place for as long as it takes.
type timeless struct{ steady.Bulkhead }

func (t timeless) AcquirePermit(ctx context.Context) error {
	return t.Bulkhead.AcquirePermit(context.WithoutCancel(ctx))
}
