// Package steady is the reference client: correct by every rule of the catalogue that it claims, and readable in one sitting.
//
// One operation is a loop of attempts under one deadline. The loop itself (counting attempts, a wait that ends with the
// context) is failsafe-go's retrypolicy. What that library leaves to its user, or gets wrong for HTTP, is done here; seen in
// v0.9.8, and kept true by this package's tests:
//
//   - failsafehttp.DelayFunc knows only whole seconds: it ignores a date, takes the first of two contradicting fields, turns a
//     negative or an overflowing number into no wait at all, and lets "0" replace the backoff. See [RetryAfter], [Patient].
//   - failsafehttp retries every method on every error and on 500, 502, 504 and 505. See [Retryable].
//   - the wait is not compared with the time left: it sleeps into the deadline. See [Policy.Worth].
//   - an attempt that is over is thrown away when the context ended meanwhile, and context.DeadlineExceeded is returned in its
//     place, so that a whole reply looks lost. The outcome is therefore told from our own record of the attempts.
//   - failsafehttp does not close the replies that it retries, and leaves net/http's hidden repeats on. See attempt.go, once.go.
//   - its jitter is drawn from the global source, and goes below a server's hint as well as above. See [Backoff].
//   - WithMaxAttempts(0) means without end.
//   - its circuit breaker takes no permit back without a verdict, so that a probe which was cancelled leaves it half open for ever; and what was sent before it
//     opened counts for a probe when it comes back, and lets one more through. See [NewBreaker]. Its bulkhead is used as it is.
//   - its retry budget counts what is under way, and so holds nothing back where the dependency refuses at once; a retry that it refuses has waited
//     out its backoff before, and ends in budget.ErrExceeded in place of what the last attempt got. See [Budget].
//   - its hedge policy goes on hedging, a delay apart, when nothing is under way any more and whatever the replies ask for, and leaves losers
//     running when it returns. See [Hedge].
package steady

import (
	"context"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// Hello is what the client says of itself under [Default].
func Hello() drive.Hello {
	p := Default()
	return drive.Hello{
		Name:     "steady",
		Driver:   "go",
		Features: []drive.Feature{drive.Retries, drive.HonoursRetryAfter, drive.IdempotencyKey, drive.Cancel, drive.Redirects, drive.StreamBody, drive.PolicyPerCall},
		Claims: drive.Claims{
			MaxAttempts:      p.MaxAttempts,
			BaseMS:           int(p.Base / time.Millisecond),
			CapMS:            int(p.Cap / time.Millisecond),
			Multiplier:       p.Multiplier,
			Jitter:           drive.FullJitter,
			HintJitterMS:     int(Spread / time.Millisecond),
			BoundMS:          int(p.Bound / time.Millisecond),
			ConnectTimeoutMS: int(p.ConnectTimeout / time.Millisecond),
			KeyHeader:        "Idempotency-Key",
			PushbackHeader:   Pushback,
			CountsConflicts:  true,
		},
	}
}

// Client does operations under one policy. It is safe for concurrent use.
type Client struct {
	policy    Policy
	budget    Budget
	guards    *guards
	transport http.RoundTripper
	idle      func()
}

var _ drive.Client = (*Client)(nil)

// idlePerHost is how many idle connections are kept to one service: enough that a burst of operations does not dial anew
// for each retry, where net/http's own default of 2 would.
const idlePerHost = 64

// New makes a client that reaches services through dial. Begin with [Default]: a policy has no other zero value.
// Close its connections with CloseIdleConnections when it is no longer used.
func New(dial drive.Dial, p Policy) *Client {
	base := &http.Transport{DialContext: within(p.ConnectTimeout, dial), MaxIdleConnsPerHost: idlePerHost}
	c := &Client{policy: p, budget: free{}, guards: &guards{policy: p, of: map[string]*guard{}}, transport: base, idle: base.CloseIdleConnections}
	if p.Budget != nil {
		c.budget = p.Budget()
	}
	if p.Transport != nil {
		c.transport = p.Transport(base)
	}
	return c
}

// CloseIdleConnections closes the connections that no operation is using.
func (c *Client) CloseIdleConnections() { c.idle() }

// Do does the operation once and tells what is known of it. It returns by the deadline, or by the policy's bound if that is
// sooner, and at once when ctx is cancelled; nothing of it goes on after.
func (c *Client) Do(ctx context.Context, call drive.Call) drive.Result {
	if _, err := request(ctx, call, nil, ""); err != nil {
		return drive.Result{Outcome: drive.Failed, Err: err.Error()}
	}
	p := c.policy.with(call.Policy)
	ctx, cancel := p.Deadline(ctx, p.limit(call.Deadline))
	defer cancel()
	r := newRun(c, p, call)
	r.attempts(ctx)
	return r.result()
}
