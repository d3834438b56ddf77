package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// connections is how many requests are under way at once, each on a kept connection.
const connections = 16

// Histograms take latencies from 1 µs to a minute, to four digits: 10 µs of a delay of 100 ms.
const lowest, highest, digits = int64(time.Microsecond), int64(time.Minute), 4

// load is a closed loop: each of its clients sends the next request when it has read the reply to the last one. A server that stalls is
// asked less, so its quantiles are what these clients met, and not what a crowd would meet that does not wait.
type load struct {
	url       string // of a server; the path is the load's own
	transport *http.Transport
	clients   int
	path      string
	dress     func(r *http.Request, operation string) // changes a request before it is sent; nil = nothing
	stagger   time.Duration                           // between the first requests of two clients
	pause     time.Duration                           // of each client between two requests
	do        func(ctx context.Context) error         // what a client does again and again: l.request

	operations atomic.Int64 // so far, so that each has a token of its own
}

func newLoad(url string) *load {
	l := &load{
		url: url, clients: connections, path: "/orders",
		transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true},
	}
	l.do = l.request
	return l
}

// sample is what a load met.
type sample struct {
	took     time.Duration
	latency  *hdrhistogram.Histogram
	requests int64
}

func (s sample) rate() float64 { return float64(s.requests) / s.took.Seconds() }

// quantile gives the latency that so many percent of the requests did not exceed.
func (s sample) quantile(percent float64) time.Duration {
	return time.Duration(s.latency.ValueAtPercentile(percent))
}

// during loads the server for a while.
func (l *load) during(ctx context.Context, d time.Duration) (sample, error) {
	end := time.Now().Add(d)
	return l.run(ctx, func(int) bool { return time.Now().Before(end) })
}

// times has every client send so many requests.
func (l *load) times(ctx context.Context, each int) (sample, error) {
	return l.run(ctx, func(done int) bool { return done < each })
}

// run ends with the first error: a server that is not sound is not worth measuring.
func (l *load) run(ctx context.Context, goOn func(done int) bool) (sample, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	histograms := make([]*hdrhistogram.Histogram, l.clients)
	began := time.Now()
	var all sync.WaitGroup
	for i := range histograms {
		histograms[i] = hdrhistogram.New(lowest, highest, digits)
		all.Go(func() {
			wait(ctx, time.Duration(i)*l.stagger)
			if err := l.client(ctx, goOn, histograms[i]); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	s := sample{took: time.Since(began), latency: histograms[0]}
	for _, h := range histograms[1:] {
		s.latency.Merge(h)
	}
	s.requests = s.latency.TotalCount()
	return s, context.Cause(ctx)
}

func (l *load) client(ctx context.Context, goOn func(done int) bool, latency *hdrhistogram.Histogram) error {
	for done := 0; goOn(done) && ctx.Err() == nil; done++ {
		began := time.Now()
		if err := l.do(ctx); err != nil {
			return err
		}
		if err := latency.RecordValue(int64(time.Since(began))); err != nil {
			return err
		}
		wait(ctx, l.pause)
	}
	return nil
}

// request does one operation, as a client does that has a token for it: in the query and in the body.
func (l *load) request(ctx context.Context) error {
	op := fmt.Sprintf("op-%012d", l.operations.Add(1))
	body := fmt.Sprintf(`{"operation":%q,"amount":1200,"currency":"EUR","reference":%q}`, op, op)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+l.path+"?operation="+op, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if l.dress != nil {
		l.dress(r, op)
	}
	reply, err := l.transport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if _, err = io.Copy(io.Discard, reply.Body); err == nil && reply.StatusCode != http.StatusCreated {
		err = fmt.Errorf("POST %s: got %s, want 201", r.URL, reply.Status)
	}
	return err
}

// wait returns after d, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
