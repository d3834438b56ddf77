package mutants

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// Variants gives correct clients of other habits. No rule may find anything in them.
func Variants() []Mutant {
	return slices.Concat(variants(), budgetVariants(), isolatingVariants(), hedgeVariants())
}

func variants() []Mutant {
	return []Mutant{
		{
			Name:   "equal-jitter",
			Defect: "never waits less than half of its ceiling",
			Policy: backingOff(steady.EqualJitter),
			Hello:  claimJitter(drive.EqualJitter),
		},
		{
			Name:   "decorrelated-jitter",
			Defect: "draws each wait from the last one",
			Policy: backingOff(steady.DecorrelatedJitter),
			Hello:  claimJitter(drive.DecorrelatedJitter),
		},
		{
			Name:   "decorrelated-to-twice-the-base",
			Defect: "draws each wait from the last one, and up to a cap that half of the first waits reach",
			Policy: all(backingOff(steady.DecorrelatedJitter), func(p steady.Policy) steady.Policy {
				p.Base, p.Cap = 200*time.Millisecond, 400*time.Millisecond
				return p
			}),
			Hello: func(h drive.Hello) drive.Hello {
				h.Claims.Jitter, h.Claims.BaseMS, h.Claims.CapMS = drive.DecorrelatedJitter, 200, 400
				return h
			},
		},
		{
			Name:   "a-fifth-of-jitter",
			Defect: "spreads its waits by a fifth either way",
			Policy: backingOff(parts(0.8, 1.2)),
			Hello:  claimAFifth,
		},
		{
			Name:   "a-second-at-least",
			Defect: "waits a second or more before each retry, and says so",
			Policy: all(backingOff(steady.EqualJitter), func(p steady.Policy) steady.Policy {
				p.Base, p.Cap, p.Multiplier = 2*time.Second, 3*time.Second, 1.5
				return p
			}),
			Hello: claiming(func(c *drive.Claims) { c.BaseMS, c.CapMS, c.Multiplier, c.Jitter = 2000, 3000, 1.5, drive.EqualJitter }),
		},
		{
			Name:   "linear-waits",
			Defect: "adds to its waits instead of doubling them, and claims nothing of it",
			Policy: backingOff(func(p steady.Policy, r *rand.Rand, retry int, _ time.Duration) time.Duration {
				return time.Duration(min(float64(p.Cap), float64(p.Base)*float64(retry)) * (1 + r.Float64()) / 2)
			}),
			Hello: silentOnBackoff,
		},
		{
			Name:   "no-retries",
			Defect: "makes one attempt and tells what came of it",
			Policy: func(p steady.Policy) steady.Policy {
				p.MaxAttempts = 1
				return p
			},
			Hello: func(h drive.Hello) drive.Hello {
				h = without(silentOnBackoff(h), drive.Retries, drive.HonoursRetryAfter, drive.PolicyPerCall)
				h.Claims.MaxAttempts = 1
				return h
			},
		},
		{
			Name:   "no-keys",
			Defect: "sends no keys, and repeats no write that would need one",
			Policy: keys(func() func(*rand.Rand) string { return func(*rand.Rand) string { return "" } }),
			Hello: func(h drive.Hello) drive.Hello {
				h = without(h, drive.IdempotencyKey)
				h.Claims.KeyHeader = ""
				return h
			},
		},
		{
			Name:   "quotes-keys",
			Defect: "writes keys in quotation marks, its caller's as well, as the draft has them",
			Policy: editing(func(req *http.Request, _ int) {
				if key := keyOf(req); key != "" {
					rekey(req, strconv.Quote(key))
				}
			}),
		},
		{
			Name:   "two-attempts",
			Defect: "makes two attempts, and does not say how many",
			Policy: func(p steady.Policy) steady.Policy {
				p.MaxAttempts = 2
				return p
			},
			Hello: func(h drive.Hello) drive.Hello {
				h = without(h, drive.PolicyPerCall)
				h.Claims.MaxAttempts = 0
				return h
			},
		},
		{
			Name:   "slow-start",
			Defect: "takes half a second before its first attempt, within the deadline",
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				if steady.Try(req.Context()) == 1 {
					select {
					case <-time.After(slowStart):
					case <-req.Context().Done():
						return nil, req.Context().Err()
					}
				}
				return next.RoundTrip(req)
			}),
		},
		{
			Name:   "attempt-timeout",
			Defect: "gives each attempt a timer of its own, within the deadline",
			Policy: attemptTimeout(shortAttempt),
			Hello:  claimAttemptTimeout(shortAttempt),
		},
		{
			Name:   "a-little-after-hints",
			Defect: "comes back within 30 ms after a hint, and says so",
			Policy: func(p steady.Policy) steady.Policy {
				p.Wait = func(r *rand.Rand, own time.Duration, a steady.Attempt) time.Duration {
					if h, ok := steady.RetryAfter(a.Header, time.Now()); ok && h > 0 {
						return max(own, h) + time.Duration(r.Int64N(int64(littleSpread)))
					}
					return own
				}
				return p
			},
			Hello: claiming(func(c *drive.Claims) { c.HintJitterMS = int(littleSpread / time.Millisecond) }),
		},
		{
			Name:   "gives-up-on-hints",
			Defect: "does not wait for a server that asks for more than its own cap",
			Policy: func(p steady.Policy) steady.Policy {
				right := p.Worth
				p.Worth = func(wait, left time.Duration) bool { return wait <= time.Second && right(wait, left) }
				return p
			},
		},
		{
			Name:   "retries-408",
			Defect: "retries a 408, where that is safe",
			Policy: retryTimedOut,
		},
		{
			Name:   "resumes",
			Defect: "asks for the rest of a body that broke off, and looks whether it fits",
			Policy: resuming(resumption{status: true, place: true, etag: true}),
		},
		{
			Name:   "resumes-and-compares",
			Defect: "asks for the rest of a body that broke off without a condition, and compares the ETags itself",
			Policy: resuming(resumption{status: true, place: true, etag: true, unconditional: true}),
		},
		{
			Name:   "speaks-for-itself",
			Defect: "has a transport of its own, without a goroutine that watches idle connections",
			Policy: ownWire(goodManners()),
		},
		{
			Name:   "expects-continue",
			Defect: "waits a second for a 100 (Continue) before it sends a body",
			Policy: all(continueTimeout, expecting(1), dropsExpectation),
		},
		{
			Name:   "short-lived-keys",
			Defect: "knows a service that keeps keys for a second, and sends none after that",
			Policy: keyRetention(time.Second),
			Hello:  claimKeyRetention(time.Second),
		},
		{
			Name:   "follows-nothing",
			Defect: "hands redirects to its caller",
			Policy: func(p steady.Policy) steady.Policy {
				p.Hops = 0
				return p
			},
			Hello: func(h drive.Hello) drive.Hello { return without(h, drive.Redirects) },
		},
		{
			Name:   "refreshes-credentials",
			Defect: "fetches new credentials when it is challenged, and repeats the request with them, once",
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				reply, err := next.RoundTrip(req)
				if err != nil || reply.StatusCode != http.StatusUnauthorized || reply.Header.Get("WWW-Authenticate") == "" {
					return reply, err
				}
				reply.Body.Close()
				again := req.Clone(req.Context())
				if req.GetBody != nil {
					again.Body, _ = req.GetBody() // from memory: it does not fail
				}
				again.Header.Set("Authorization", "Bearer t2")
				return next.RoundTrip(again)
			}),
		},
		{
			Name:   "knows-no-pushback",
			Defect: "knows no header that forbids a retry, and claims none",
			Policy: unheard(func(steady.Operation) bool { return true }),
			Hello:  claiming(func(c *drive.Claims) { c.PushbackHeader = "" }),
		},
		{
			Name:   "retries-what-it-lists",
			Defect: "lists the statuses that it retries, and a 409 is not among them",
			Policy: never(answered(http.StatusConflict)),
			Hello:  claiming(func(c *drive.Claims) { c.RetryStatuses = []int{425, 429, 502, 503, 504} }),
		},
		{
			Name:   "unsure",
			Defect: "says error where it does not know the outcome",
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if told := steady.Outcome(o, a); told != drive.Unknown {
					return told
				}
				return drive.Error
			}),
		},
	}
}

// slowStart is what setting up a client takes at the worst: a cold pool, a token to be fetched.
const slowStart = 500 * time.Millisecond

// littleSpread is what a small fleet needs: a tenth of what the reference takes, and more than a dependency's queue of a few requests.
const littleSpread = 30 * time.Millisecond

func claimJitter(j drive.Jitter) func(drive.Hello) drive.Hello {
	return claiming(func(c *drive.Claims) { c.Jitter = j })
}

// without takes features back.
func without(h drive.Hello, features ...drive.Feature) drive.Hello {
	h.Features = slices.DeleteFunc(slices.Clone(h.Features), func(f drive.Feature) bool { return slices.Contains(features, f) })
	return h
}

// continueTimeout is net/http's own patience for a 100 (Continue), which is none by default.
func continueTimeout(p steady.Policy) steady.Policy {
	within := p.Transport
	p.Transport = func(next http.RoundTripper) http.RoundTripper {
		next.(*http.Transport).ExpectContinueTimeout = time.Second
		if within != nil {
			return within(next)
		}
		return next
	}
	return p
}
