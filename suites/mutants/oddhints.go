package mutants

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func oddHints() []Mutant {
	return []Mutant{
		{
			Name:   "obsolete-dates-are-now",
			Defect: "retries at once after a date that it cannot read",
			Trips:  []string{"RA-03"},
			Policy: atOnce(func(a steady.Attempt) bool {
				v := a.Header.Get("Retry-After")
				_, rfc850 := time.Parse("Monday, 02-Jan-06 15:04:05 MST", v)
				_, asctime := time.Parse(time.ANSIC, v)
				return rfc850 == nil || asctime == nil
			}),
		},
		{
			Name:   "asctime-is-now",
			Defect: "retries at once after a date in the form of asctime",
			Trips:  []string{"RA-03"},
			Policy: atOnce(func(a steady.Attempt) bool {
				_, err := time.Parse(time.ANSIC, a.Header.Get("Retry-After"))
				return err == nil
			}),
		},
		{
			Name:   "epoch-as-seconds",
			Defect: "sleeps for as many seconds as RateLimit-Reset says, since 1970 as it were",
			Trips:  []string{"RA-12"},
			Policy: sleepingFor("RateLimit-Reset"),
		},
		{
			Name:   "x-epoch-as-seconds",
			Defect: "sleeps for as many seconds as X-RateLimit-Reset says",
			Trips:  []string{"RA-12"},
			Policy: sleepingFor("X-RateLimit-Reset"),
		},
		{
			Name:   "milliseconds-as-seconds",
			Defect: "sleeps for as many seconds as Retry-After-Ms has milliseconds",
			Trips:  []string{"RA-12"},
			Policy: sleepingFor("Retry-After-Ms"),
		},
		{
			Name:   "clamps-hints-of-half-a-minute",
			Defect: "waits ten seconds where it was asked for thirty",
			Trips:  []string{"RA-08"},
			Policy: reading(func(_ steady.Attempt, h time.Duration) time.Duration {
				if h > time.Minute {
					return h
				}
				return min(h, 10*time.Second)
			}),
		},
		{
			Name:   "overflows-at-64-bits",
			Defect: "multiplies seconds into nanoseconds without looking, so that a huge hint becomes none",
			Trips:  []string{"RA-09"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				seconds, err := strconv.ParseInt(a.Header.Get("Retry-After"), 10, 64)
				if err != nil {
					return h
				}
				return max(0, time.Duration(seconds)*time.Second)
			}),
		},
		{
			Name:   "hint-instead-of-backoff",
			Defect: "takes the hint in place of its own wait, also where the hint is shorter",
			Trips:  []string{"RA-10"},
			Policy: func(p steady.Policy) steady.Policy {
				right := p.Wait
				p.Wait = func(r *rand.Rand, own time.Duration, a steady.Attempt) time.Duration {
					if h, ok := steady.RetryAfter(a.Header, time.Now()); ok && h > 0 {
						own = 0
					}
					return right(r, own, a)
				}
				return p
			},
		},
		{
			Name:   "to-the-moment-of-the-hint",
			Defect: "comes back exactly when it was told to",
			Trips:  []string{"RA-11"},
			Policy: waiting(func(own time.Duration, a steady.Attempt, _ func(steady.Attempt) time.Duration) time.Duration {
				h, _ := steady.RetryAfter(a.Header, time.Now())
				return max(own, h)
			}),
		},
	}
}

// sleepingFor takes a header for a number of seconds.
func sleepingFor(header string) change {
	return waiting(func(_ time.Duration, a steady.Attempt, right func(steady.Attempt) time.Duration) time.Duration {
		if n, err := strconv.ParseInt(a.Header.Get(header), 10, 32); err == nil {
			return time.Duration(n) * time.Second
		}
		return right(a)
	})
}
