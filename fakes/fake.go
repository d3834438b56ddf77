// Package fakes is the dependency that clients under test talk to: an HTTP service that behaves as its API says, but for the faults
// of its plan, and that keeps a journal of what it really received and really applied.
//
// It has a payments API with idempotency keys, and takes any other method and path as well, so that a client of another API can be
// tested as it is. An attempt belongs to the operation whose token (op-5f0c2a9d) it carries, wherever that is.
package fakes

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// DefaultRetention is how long the result of a keyed request is kept, as with most APIs that publish it.
const DefaultRetention = 24 * time.Hour

// MaxHead is the longest request head that is taken, in bytes. A longer one is answered with 431 and never becomes an attempt: it
// shows as a connection with fewer requests than the client sent.
const MaxHead = 1 << 20

// Config is what a fake is made from. Only the clock is needed.
type Config struct {
	Clock     clock.Clock
	Plan      faults.Plan
	Roll      faults.Roll
	Origins   int           // addresses listened on, as if they were so many dependencies with one journal; 0 = 1
	Closed    int           // the origin that refuses all connections; 0 = none of them
	Capacity  int           // requests that each origin serves within any second, the others get 503 at once; 0 = as many as come
	Retention time.Duration // of the results of keyed requests, from their commit; 0 = DefaultRetention
}

// Fake is a running dependency. Its methods are safe for concurrent use.
type Fake struct {
	config   Config
	journal  *journal.Journal
	store    stores.Store
	access   access
	capacity capacity
	origins  []*wire.Listener // at least one
	server   *http.Server

	playing context.Context // until Close
	stop    context.CancelFunc
	running sync.WaitGroup // the server, its connections and their exchanges
	close   sync.Once
	closed  error

	mu       sync.Mutex
	failures []error // of the fake itself
}

// Start opens a fake on an address of the network ("127.0.0.1:0" for any port). It refuses a plan that cannot be carried out, with the reason.
func Start(n wire.Network, addr string, c Config) (*Fake, error) {
	if err := check(c.Plan, c.Origins); err != nil {
		return nil, err
	}
	if c.Retention == 0 {
		c.Retention = DefaultRetention
	}
	f := &Fake{config: c, journal: journal.New(c.Clock), capacity: capacity{most: c.Capacity, served: map[int][]clock.Moment{}}}
	f.store = stores.NewMemory(c.Clock.Now, c.Retention, f.journal.Apply)
	f.playing, f.stop = context.WithCancel(context.Background())
	if err := f.listen(n, addr); err != nil {
		f.stop()
		return nil, err
	}
	f.server = &http.Server{
		Handler:                      f.routes(),
		ConnContext:                  wire.ConnContext,
		ConnState:                    f.count,
		ReadHeaderTimeout:            Patience,
		MaxHeaderBytes:               MaxHead,
		DisableGeneralOptionsHandler: true,                                                    // "OPTIONS *" is an attempt like any other
		ErrorLog:                     slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // what matters is in the journal
	}
	for _, l := range f.origins {
		f.running.Go(func() {
			if err := f.server.Serve(l); f.playing.Err() == nil {
				f.fail(err)
			}
		})
	}
	return f, nil
}

// URL is where the fake listens: "http://127.0.0.1:41523".
func (f *Fake) URL() string { return f.Origin(0) }

// Origin is the URL of one of the addresses that the fake listens on, from 0.
func (f *Fake) Origin(n int) string { return f.origins[n].URL() }

// Revoke takes a caller's access away, who is known by the bearer token; "" is everybody without one. From now on each of its requests is answered with 403,
// those that would be replayed too.
func (f *Fake) Revoke(token string) { f.access.revoke(token) }

// Record copies what the fake has seen and done so far.
func (f *Fake) Record() journal.Record {
	r := f.journal.Record()
	r.Connections = f.origins[0].Connections() // after the attempts, so that each attempt's connection is there
	return r
}

// struck writes down a connection fault before it acts.
func (f *Fake) struck(connection int, fault faults.Fault) {
	f.journal.Decide(journal.Decision{Connection: connection, Fault: fault.String(), Phase: fault.At, Result: journal.Fired})
}

// fail keeps a failure of the fake itself for Close to tell: a play with one must not be judged.
func (f *Fake) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures = append(f.failures, err)
}

func (f *Fake) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.failures...)
}
