package mutants

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// isolatingVariants are clients with a breaker, a bulkhead and a deadline header of other habits, as the usual libraries have them.
func isolatingVariants() []Mutant {
	return []Mutant{
		{
			Name:   "all-guards",
			Defect: "has a retry budget beside its breaker and its bulkhead, and tells the time left in seconds, with their parts",
			From:   Isolating,
			Policy: all(tellingAs(func(_ time.Time, left time.Duration) string {
				return strconv.FormatFloat(left.Truncate(time.Millisecond).Seconds(), 'f', -1, 64)
			}), func(p steady.Policy) steady.Policy {
				p.Budget = steady.Guarded().Budget
				return p
			}),
			Hello: func(h drive.Hello) drive.Hello {
				h.Features, h.Claims.Budget = append(h.Features, drive.Budget), steady.GuardedHello().Claims.Budget
				return claimTold(drive.SecondsLeft)(h)
			},
		},
		{
			Name:   "three-probes",
			Defect: "lets three calls through when half open, as resilience4j can, and tells the time left as gRPC does",
			From:   Isolating,
			Policy: all(breaking(func(c *steady.Circuit) { c.Probes = 3 }), tellingAs(func(_ time.Time, left time.Duration) string {
				return strconv.FormatInt(left.Microseconds(), 10) + "u"
			})),
			Hello: func(h drive.Hello) drive.Hello {
				h.Claims.Breaker.Probes = 3
				return claimTold(drive.GRPCTimeout)(h)
			},
		},
		{
			Name:   "longer-cooldowns",
			Defect: "doubles its cooldown with each probe that fails, refuses calls that find no place, and tells the deadline as a date",
			From:   Isolating,
			Policy: all(func(p steady.Policy) steady.Policy {
				p.Breaker = func(string) steady.Breaker {
					return &doubling{now: usualBreaker(), cooldown: steady.UsualCircuit().Cooldown}
				}
				p.Bulkhead = func(string) steady.Bulkhead { return refusing{bulkhead.New[any](steady.UsualPlaces)} }
				return p
			}, tellingAs(func(now time.Time, left time.Duration) string {
				return now.Add(left).UTC().Format("2006-01-02T15:04:05.000Z07:00")
			})),
			Hello: claimTold(drive.RFC3339Time),
		},
		{
			Name:   "last-ten-calls",
			Defect: "counts the last ten calls however old they are, and tells whole seconds",
			From:   Isolating,
			Policy: all(func(p steady.Policy) steady.Policy {
				p.Breaker = func(string) steady.Breaker { return newLastTen() }
				return p
			}, tellingAs(func(_ time.Time, left time.Duration) string { return strconv.Itoa(int(left.Seconds())) })),
			Hello: func(h drive.Hello) drive.Hello {
				h.Claims.Breaker.WindowMS = 0
				return claimTold(drive.SecondsLeft)(h)
			},
		},
		{
			Name:   "breaker-around-retries",
			Defect: "counts operations, with all their attempts, as opossum does around axios-retry",
			From:   Isolating,
			Policy: func(p steady.Policy) steady.Policy {
				p.Breaker = nil
				return p
			},
			Around: func(c *steady.Client) drive.Client { return &around{Client: c, of: map[string]steady.Breaker{}} },
		},
	}
}

// tellingAs tells the time left in other words.
func tellingAs(word func(now time.Time, left time.Duration) string) change {
	return func(p steady.Policy) steady.Policy {
		p.Tell = func(h http.Header, left time.Duration) { h.Set(steady.TimeoutHeader, word(time.Now(), left)) }
		return p
	}
}

func claimTold(f drive.DeadlineFormat) func(drive.Hello) drive.Hello {
	return claiming(func(c *drive.Claims) { c.DeadlineHeader.Format = f })
}

// refusing has no queue: who finds no place is refused.
type refusing struct{ bulkhead.Bulkhead[any] }

func (r refusing) AcquirePermit(ctx context.Context) error {
	if !r.TryAcquirePermit() {
		return bulkhead.ErrFull
	}
	return ctx.Err()
}

// around is a breaker that does not see attempts, but what became of operations.
type around struct {
	*steady.Client
	mu sync.Mutex
	of map[string]steady.Breaker // by host
}

func (a *around) at(host string) steady.Breaker {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of[host] == nil {
		a.of[host] = usualBreaker()
	}
	return a.of[host]
}

func (a *around) Do(ctx context.Context, call drive.Call) drive.Result {
	req, err := http.NewRequest(call.Method, call.URL, nil)
	if err != nil {
		return drive.Result{Outcome: drive.Failed, Err: err.Error()}
	}
	leave, ok := a.at(req.URL.Host).Enter()
	if !ok {
		return drive.Result{Outcome: drive.Failed, Err: steady.ErrOpen.Error()}
	}
	r := a.Client.Do(ctx, call)
	switch {
	case ctx.Err() != nil:
		leave(steady.Attempt{Err: context.Canceled})
	case r.Outcome != drive.OK && (r.Status == 0 || r.Status/100 == 2):
		leave(steady.Attempt{Err: context.DeadlineExceeded})
	default:
		leave(steady.Attempt{Status: r.Status})
	}
	return r
}
