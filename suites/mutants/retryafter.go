package mutants

import (
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func retryAfter() []Mutant { return slices.Concat(hints(), noHints(), hugeHints()) }

// hints are the mutants that get an ordinary hint wrong.
func hints() []Mutant {
	return []Mutant{
		{
			Name:   "ignores-retry-after",
			Defect: "waits its own backoff, whatever the server asks for",
			Trips:  []string{"RA-01", "RA-02", "RA-07", "RA-08", "RA-09", "RA-11"},
			Policy: reading(func(steady.Attempt, time.Duration) time.Duration { return 0 }),
		},
		{
			Name:   "ignores-retry-after-on-429",
			Defect: "reads Retry-After on a 503 only",
			Trips:  []string{"RA-01", "RA-02", "RA-07"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if a.Status == http.StatusTooManyRequests {
					return 0
				}
				return h
			}),
		},
		{
			Name:   "a-little-early",
			Defect: "waits 95 % of the time that it was asked to",
			Trips:  []string{"RA-01", "RA-08", "RA-11"},
			Policy: reading(func(_ steady.Attempt, h time.Duration) time.Duration { return h / 100 * 95 }),
		},
		{
			Name:   "jitter-below-the-hint",
			Defect: "spreads its waits before the hint instead of after it",
			Trips:  []string{"RA-01", "RA-08", "RA-11"},
			Policy: waiting(func(own time.Duration, a steady.Attempt, right func(steady.Attempt) time.Duration) time.Duration {
				if h, ok := steady.RetryAfter(a.Header, time.Now()); ok && h > steady.Spread {
					return right(a) - steady.Spread
				}
				return right(a)
			}),
		},
		{
			Name:   "seconds-as-milliseconds",
			Defect: "takes the seconds for milliseconds",
			Trips:  []string{"RA-01", "RA-08", "RA-11"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if isDate(hint(a)) {
					return h
				}
				return h / 1000
			}),
		},
		{
			Name:   "ignores-dates",
			Defect: "reads seconds and no dates",
			Trips:  []string{"RA-02", "RA-07"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if isDate(hint(a)) {
					return 0
				}
				return h
			}),
		},
		{
			Name:   "dates-on-reads-only",
			Defect: "reads a date on the reply to a read, and none on the reply to a write",
			Trips:  []string{"RA-02"},
			Policy: deafTo(func(req *http.Request, value string) bool { return req.Method == http.MethodPost && isDate(value) }),
		},
		{
			Name:   "first-hint-only",
			Defect: "heeds what the first reply asks for, and nothing that later ones do",
			Trips:  []string{"RA-01"},
			Policy: deafTo(func(req *http.Request, _ string) bool { return steady.Try(req.Context()) > 1 }),
		},
		{
			Name:   "half-way-to-the-date",
			Defect: "waits half the time until the date",
			Trips:  []string{"RA-02"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				if isDate(hint(a)) {
					return h / 2
				}
				return h
			}),
		},
	}
}

// noHints are the mutants that make something of a value that asks for no wait.
func noHints() []Mutant {
	mutants := []Mutant{
		{
			Name:   "past-date-is-now",
			Defect: "retries at once when the date has passed",
			Trips:  []string{"RA-04"},
			Policy: atOnce(func(a steady.Attempt) bool {
				h, ok := steady.RetryAfter(a.Header, time.Now())
				return ok && h == 0 && isDate(hint(a))
			}),
		},
		{
			Name:   "zero-is-now",
			Defect: "lets Retry-After: 0 switch its backoff off",
			Trips:  []string{"RA-05"},
			Policy: atOnce(func(a steady.Attempt) bool { return hint(a) == "0" }),
		},
		{
			Name:   "zero-is-no",
			Defect: "takes Retry-After: 0 for a request not to come back",
			Trips:  []string{"RA-05"},
			Policy: never(func(_ steady.Operation, a steady.Attempt) bool { return hint(a) == "0" }),
		},
		{
			Name:   "panics-on-a-word",
			Defect: "panics when Retry-After is neither a number nor a date",
			Trips:  []string{"RA-06"},
			Policy: atOnce(func(a steady.Attempt) bool {
				if hint(a) == "soon" {
					panic(`parsing "soon": invalid syntax`)
				}
				return false
			}),
		},
		{
			Name:   "throws-on-a-word",
			Defect: "throws where Retry-After is neither a number nor a date, and its caller gets the exception in place of the reply",
			Trips:  []string{"RA-06"},
			Policy: never(func(_ steady.Operation, a steady.Attempt) bool {
				_, read := steady.RetryAfter(a.Header, time.Now())
				return len(a.Header.Values("Retry-After")) > 0 && !read
			}),
			Tells: func(r drive.Result) drive.Result {
				if r.Status == http.StatusServiceUnavailable {
					r.Status = 0
				}
				return r
			},
		},
	}
	for _, form := range []struct {
		name, what string
		is         func(fields []string) bool
	}{
		{"negative", "a negative number", only("-5")},
		{"word", "a word", only("soon")},
		{"empty", "an empty value", only("")},
		{"list", "a list of numbers", only("1,2")},
		{"fraction", "a fraction", only("1.5")},
		{"hexadecimal", "a hexadecimal number", only("0x10")},
		{"two-fields", "two Retry-After fields", func(fields []string) bool { return len(fields) == 2 }},
	} {
		mutants = append(mutants, Mutant{
			Name:   form.name + "-is-now",
			Defect: "retries at once on " + form.what,
			Trips:  []string{"RA-06"},
			Policy: atOnce(func(a steady.Attempt) bool { return form.is(a.Header.Values("Retry-After")) }),
		})
	}
	return mutants
}

// hugeHints are the mutants that get a hint wrong which no deadline allows for.
func hugeHints() []Mutant {
	return []Mutant{
		{
			Name:   "sleeps-past-the-deadline",
			Defect: "sleeps for as long as it was asked to, beyond its deadline",
			Trips:  []string{"DL-01", "DL-03", "RA-07", "RA-09"},
			Policy: all(overtime(steady.Huge, false), anyWait),
		},
		{
			Name:   "clamps-the-hint",
			Defect: "cuts a hint down to three seconds, and comes back early",
			Trips:  []string{"RA-07", "RA-08", "RA-09"},
			Policy: reading(func(_ steady.Attempt, h time.Duration) time.Duration { return min(h, 3*time.Second) }),
		},
		{
			Name:   "short-timer",
			Defect: "hands its waits to a timer of 31 bits of milliseconds, which fires at once beyond",
			Trips:  []string{"RA-07", "RA-09"},
			Policy: reading(func(_ steady.Attempt, h time.Duration) time.Duration {
				if h.Milliseconds() > math.MaxInt32 {
					return 0
				}
				return h
			}),
		},
		{
			Name:   "takes-an-epoch",
			Defect: "takes a large number for a time since 1970",
			Trips:  []string{"RA-07"},
			Policy: reading(func(a steady.Attempt, h time.Duration) time.Duration {
				const year2000 = 946_684_800 // in seconds since 1970; as a delay, thirty years
				if isDate(hint(a)) || h < year2000*time.Second {
					return h
				}
				return time.Until(time.Unix(int64(h/time.Second), 0))
			}),
		},
	}
}

// hint is the first Retry-After field of a reply; empty without one.
func hint(a steady.Attempt) string { return a.Header.Get("Retry-After") }

func isDate(value string) bool {
	_, err := http.ParseTime(value)
	return err == nil
}

// only says that there is one field, with this value.
func only(value string) func([]string) bool {
	return func(fields []string) bool { return slices.Equal(fields, []string{value}) }
}

// reading makes another wait of a reply's hint than what it says; zero or less: as if there were none.
func reading(read func(a steady.Attempt, h time.Duration) time.Duration) change {
	return waiting(func(own time.Duration, a steady.Attempt, right func(steady.Attempt) time.Duration) time.Duration {
		h, ok := steady.RetryAfter(a.Header, time.Now())
		if !ok || read(a, h) == h {
			return right(a)
		}
		return max(own, read(a, h))
	})
}

// atOnce does not wait where when says so.
func atOnce(when func(steady.Attempt) bool) change {
	return waiting(func(_ time.Duration, a steady.Attempt, right func(steady.Attempt) time.Duration) time.Duration {
		if when(a) {
			return 0
		}
		return right(a)
	})
}

// deafTo takes hints away before the client sees them.
func deafTo(hint func(req *http.Request, value string) bool) change {
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		reply, err := next.RoundTrip(req)
		if err == nil && hint(req, reply.Header.Get("Retry-After")) {
			reply.Header.Del("Retry-After")
		}
		return reply, err
	})
}
