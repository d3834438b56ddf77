package mutants

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// permanent lists the statuses of which each has a mutant that retries it and no other, and what that breaks beside RT-01; 404 and 422 have theirs
// elsewhere.
func permanent() []refusal {
	return []refusal{
		{400, []string{"ID-06"}},
		{401, []string{"RT-13", "ID-12"}},
		{402, nil},
		{403, []string{"ID-12"}},
		{405, nil},
		{406, nil},
		{410, nil},
		{411, nil},
		{413, nil},
		{414, nil},
		{415, nil},
		{451, nil},
	}
}

type refusal struct {
	status int
	beside []string
}

// nearly are the mutants that are right but for one value, or off by little.
func nearly() []Mutant {
	var mutants []Mutant
	for _, r := range permanent() {
		mutants = append(mutants, Mutant{
			Name:   fmt.Sprintf("retries-%d", r.status),
			Defect: fmt.Sprintf("takes a %d for something that may pass", r.status),
			Trips:  append([]string{"RT-01"}, r.beside...),
			Policy: also(answered(r.status)),
		})
	}
	return append(mutants, []Mutant{
		{
			Name:   "a-third-of-a-second-late",
			Defect: "counts its deadline from when it has set itself up, 300 ms after the call",
			Trips:  []string{"DL-01", "DL-02", "DL-05", "DL-06", "CX-08"},
			Policy: func(p steady.Policy) steady.Policy {
				right := p.Deadline
				p.Deadline = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
					return right(ctx, d+300*time.Millisecond)
				}
				return p
			},
		},
		{
			Name:   "no-retry-after-502",
			Defect: "does not retry a 502, whatever was asked",
			Trips:  []string{"RT-03"},
			Policy: never(answered(http.StatusBadGateway)),
		},
		{
			Name:   "a-hundredth-early",
			Defect: "waits 99 % of the time that it was asked to",
			Trips:  []string{"RA-01", "RA-08", "RA-11"},
			Policy: reading(func(_ steady.Attempt, h time.Duration) time.Duration { return h / 100 * 99 }),
		},
		{
			Name:   "two-seconds-before-the-date",
			Defect: "allows for a clock that is two seconds ahead, and comes two seconds before the date",
			Trips:  []string{"RA-02"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if isDate(hint(a)) {
					return h - 2*time.Second
				}
				return h
			}),
		},
		{
			Name:   "rfc850-is-now",
			Defect: "retries at once after a date in the form of RFC 850",
			Trips:  []string{"RA-03"},
			Policy: atOnce(func(a steady.Attempt) bool {
				_, err := time.Parse("Monday, 02-Jan-06 15:04:05 MST", hint(a))
				return err == nil
			}),
		},
		{
			Name:   "wraps-at-a-day",
			Defect: "keeps a wait as a time of the day, in which a whole day is none",
			Trips:  []string{"RA-07"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if hint(a) == "86400" {
					return 0
				}
				return h
			}),
		},
		{
			Name:   "reads-the-time-of-a-date",
			Defect: "reads the time of a date, and takes the day for today",
			Trips:  []string{"RA-07"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if isDate(hint(a)) {
					return h % (24 * time.Hour)
				}
				return h
			}),
		},
		{
			Name:   "too-long-a-number-is-none",
			Defect: "takes a number that does not fit for no hint",
			Trips:  []string{"RA-09"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if _, err := strconv.ParseUint(hint(a), 10, 64); err != nil && !isDate(hint(a)) {
					return 0
				}
				return h
			}),
		},
		{
			Name:   "wraps-at-32-bits",
			Defect: "keeps its waits in 32 bits of milliseconds",
			Trips:  []string{"RA-09"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if hint(a) == "4294968" {
					return time.Duration(uint32(h.Milliseconds())) * time.Millisecond
				}
				return h
			}),
		},
		{
			Name:   "a-third-above-the-cap",
			Defect: "draws up to four thirds of the cap once it is there",
			Trips:  []string{"BO-02"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				wait := steady.FullJitter(p, r, retry, last)
				if p.Ceiling(retry) == p.Cap {
					return wait * 4 / 3
				}
				return wait
			}),
		},
		{
			Name:   "shifts-out-at-64-bits",
			Defect: "doubles nanoseconds by shifting, so that after 44 retries the wait is negative, and none",
			Trips:  []string{"BO-08"},
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, last time.Duration) time.Duration {
				if p.Base<<(retry-1) <= 0 {
					return 0
				}
				return steady.FullJitter(p, r, retry, last)
			}),
		},
		{
			Name:   "unknown-after-a-422",
			Defect: "says unknown after a 422",
			Trips:  []string{"OC-02"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if answered(http.StatusUnprocessableEntity)(o, a) {
					return drive.Unknown
				}
				return steady.Outcome(o, a)
			}),
		},
		{
			Name:   "unknown-where-nobody-listens",
			Defect: "says unknown when its connection was refused",
			Trips:  []string{"OC-02"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if a.Err != nil && !a.Sent {
					return drive.Unknown
				}
				return steady.Outcome(o, a)
			}),
		},
	}...)
}
