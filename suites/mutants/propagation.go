package mutants

import (
	"context"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func propagation() []Mutant {
	return []Mutant{
		{
			Name:   "tells-only-the-first",
			Defect: "tells the time left with the first attempt, and not with its retries",
			Trips:  []string{"DP-01"},
			From:   Isolating,
			Policy: onRetries(func(req *http.Request) { req.Header.Del(steady.TimeoutHeader) }),
		},
		{
			Name:   "tells-a-shorter-time-for-ever",
			Defect: "tells each attempt the same second, whatever is left",
			Trips:  []string{"DP-01"},
			From:   Isolating,
			Policy: tellingTime(func(left time.Duration) time.Duration { return min(left, time.Second) }),
		},
		{
			Name:   "tells-seconds",
			Defect: "claims to tell milliseconds, and tells seconds",
			Trips:  []string{"DP-01"},
			From:   Isolating,
			Policy: tellingTime(func(left time.Duration) time.Duration { return left / 1000 }),
		},
		{
			Name:   "fresh-time-for-each-attempt",
			Defect: "tells each attempt the whole time of its operation",
			Trips:  []string{"DP-01", "DP-02"},
			From:   Isolating,
			Policy: freshTime,
		},
		{
			Name:   "tells-its-own-default",
			Defect: "tells the dependency thirty seconds, whatever its caller gave",
			Trips:  []string{"DP-01", "DP-02", "DP-03"},
			From:   Isolating,
			Policy: tellingTime(func(time.Duration) time.Duration { return steady.Default().Bound }),
		},
		{
			Name:   "tells-fifty-milliseconds-at-least",
			Defect: "never tells less than fifty milliseconds, since less would not be worth a request",
			Trips:  []string{"DP-03"},
			From:   Isolating,
			Policy: tellingTime(func(left time.Duration) time.Duration { return max(left, 50*time.Millisecond) }),
		},
		{
			Name:   "writes-have-their-own-time",
			Defect: "takes its caller's deadline for reads, and ten seconds for writes",
			Trips:  []string{"DP-01", "DP-02", "DP-03"},
			From:   Isolating,
			Policy: editing(func(req *http.Request, _ int) {
				if req.Method == http.MethodPost {
					req.Header.Set(steady.TimeoutHeader, "10000")
				}
			}),
		},
	}
}

// tellingTime tells another time than is left.
func tellingTime(as func(left time.Duration) time.Duration) change {
	return func(p steady.Policy) steady.Policy {
		right := p.Tell
		p.Tell = func(h http.Header, left time.Duration) { right(h, as(left)) }
		return p
	}
}

type wholeKey struct{}

// freshTime tells the whole time that the operation was given.
func freshTime(p steady.Policy) steady.Policy {
	clock := p.Deadline
	p.Deadline = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		return clock(context.WithValue(ctx, wholeKey{}, d), d)
	}
	return editing(func(req *http.Request, _ int) {
		if whole, ok := req.Context().Value(wholeKey{}).(time.Duration); ok {
			steady.TellMilliseconds(req.Header, whole)
		}
	})(p)
}
