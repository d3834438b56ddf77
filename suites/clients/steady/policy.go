package steady

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// Policy is how a client behaves when the service behind it does not. Its values are tuned and its functions are replaced one at
// a time; [Default] sets them all.
type Policy struct {
	MaxAttempts    int           // the first one counts
	Base, Cap      time.Duration // of the waits' ceiling: min(Cap, Base x Multiplier^(retry-1))
	Multiplier     float64
	Bound          time.Duration // no call lasts longer, deadline or not
	ConnectTimeout time.Duration // of each connection; 0 = the deadline alone ends the wait for one
	AttemptTimeout time.Duration // until the head of the reply is there; 0 = the deadline alone ends an attempt
	Hops           int           // redirects that one attempt follows
	KeyRetention   time.Duration // how long the service keeps a key; after that it is not sent again. 0 = for as long as any call lasts
	Hedge          Hedge         // zero: no attempt is made beside another
	Seed           uint64        // of all randomness, keys included; 0 = not to be predicted

	// Deadline starts the clock of an operation; everything of it ends with the context that it gives.
	Deadline func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
	// Retryable tells whether another attempt is allowed after this one, however many there were.
	Retryable func(Operation, Attempt) bool
	// Follow is the call as it is sent to where a redirect leads.
	Follow func(call drive.Call, to *url.URL) drive.Call
	// Backoff is the client's own wait before a retry.
	Backoff Backoff
	// Wait joins the own wait with what the reply asked for.
	Wait func(r *rand.Rand, own time.Duration, a Attempt) time.Duration
	// Worth tells whether to wait at all, with so much time left.
	Worth func(wait, left time.Duration) bool
	// Key makes the key of an operation, once.
	Key func(*rand.Rand) string
	// Outcome tells the caller what the last attempt and those before it prove.
	Outcome func(Operation, Attempt) drive.Outcome
	// Hedgeable tells what may run twice at once, where there is a Hedge.
	Hedgeable func(Operation) bool
	// Halts tells whether a reply forbids further hedges.
	Halts func(Attempt) bool
	// Budget makes what retries and hedges are paid from, once for each client; nil: they cost nothing.
	Budget func() Budget
	// Breaker and Bulkhead make what stands before the attempts to an origin ("http://127.0.0.1:41523"), once for each; nil: nothing does.
	Breaker  func(origin string) Breaker
	Bulkhead func(origin string) Bulkhead
	// Tell tells the service, with each attempt, how long its answer is waited for; nil: it is not told.
	Tell func(h http.Header, left time.Duration)
	// Transport wraps what sends each attempt; nil wraps nothing. [Try] tells the attempts apart.
	Transport func(http.RoundTripper) http.RoundTripper
}

// Default is the policy that [Hello] claims.
//
// Four attempts from 100 ms end after 0.7 s of waiting at most: long enough for a restart behind a load balancer, short enough
// for a person who waits. The bound is what a person's browser would wait for a page. A connection that is not there after a second
// has lost its first SYN (RFC 6298, 2): the next try may well find another instance.
func Default() Policy {
	return Policy{
		MaxAttempts:    4,
		Base:           100 * time.Millisecond,
		Cap:            2 * time.Second,
		Multiplier:     2,
		Bound:          30 * time.Second,
		Hops:           Hops,
		ConnectTimeout: time.Second,
		Deadline:       context.WithTimeout,
		Retryable:      Retryable,
		Follow:         Follow,
		Backoff:        FullJitter,
		Wait:           Patient,
		Worth:          func(wait, left time.Duration) bool { return wait < left },
		Key:            UUID,
		Outcome:        Outcome,
		Hedgeable:      OnlyReads,
		Halts:          AsksForRest,
	}
}

// with gives the policy that one call asked for; what it leaves out stays.
func (p Policy) with(asked *drive.Policy) Policy {
	if asked == nil {
		return p
	}
	if asked.MaxAttempts > 0 {
		p.MaxAttempts = asked.MaxAttempts
	}
	if asked.Base > 0 {
		p.Base = asked.Base
	}
	if asked.Cap > 0 {
		p.Cap = asked.Cap
	}
	return p
}

// limit is how long a call with this deadline may last; 0 = it gave none.
func (p Policy) limit(deadline time.Duration) time.Duration {
	if deadline <= 0 {
		return p.Bound
	}
	return min(deadline, p.Bound)
}
