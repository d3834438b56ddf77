package steady

import (
	"sync"
	"time"
)

// Budget is what attempts beyond first ones are paid from: one account for each origin, shared by all operations of a client. It is
// safe for concurrent use, and never waits: what cannot be paid is refused at once (gRFC A6, Throttling Retry Attempts and Hedged RPCs).
type Budget interface {
	// Earn pays in for an operation that is about to make its first attempt at an origin ("http://127.0.0.1:41523").
	Earn(origin string)
	// Spend takes the price of one more attempt, and tells whether it was there.
	Spend(origin string, what Extra) bool
}

// Extra is what an attempt beyond the first is made for.
type Extra string

const (
	ForRetry Extra = "retry"
	ForHedge Extra = "hedge"
)

// Rate is how much a token bucket allows: Ratio tokens for each first attempt and MinPerSecond with time, of which Burst can be saved up.
// An attempt costs one token, and a bucket begins full.
//
// It is a rate and not a share of what is under way, as failsafe-go's budget is: where a dependency refuses at once, hardly
// anything is under way, and every retry would fit into such a share.
type Rate struct {
	Ratio        float64
	MinPerSecond float64
	Burst        int
}

// Buckets is a budget with a bucket of one rate for each origin.
func Buckets(r Rate) Budget { return &buckets{rate: r, of: map[string]*bucket{}} }

type buckets struct {
	rate Rate
	mu   sync.Mutex
	of   map[string]*bucket
}

// bucket is what an origin's attempts may cost. Its tokens are those of the moment since.
type bucket struct {
	tokens float64
	since  time.Time
}

func (b *buckets) Earn(origin string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at(origin).add(b.rate.Ratio, b.rate.Burst)
}

func (b *buckets) Spend(origin string, _ Extra) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket := b.at(origin)
	if bucket.tokens < 1 {
		return false
	}
	bucket.tokens--
	return true
}

// at is an origin's bucket with what time has brought it.
func (b *buckets) at(origin string) *bucket {
	now := time.Now()
	known := b.of[origin]
	if known == nil {
		known = &bucket{tokens: float64(b.rate.Burst), since: now}
		b.of[origin] = known
	}
	known.add(now.Sub(known.since).Seconds()*b.rate.MinPerSecond, b.rate.Burst)
	known.since = now
	return known
}

func (b *bucket) add(tokens float64, burst int) {
	b.tokens = min(b.tokens+tokens, float64(burst))
}

// free is the budget of a client that has none.
type free struct{}

func (free) Earn(string)              {}
func (free) Spend(string, Extra) bool { return true }
