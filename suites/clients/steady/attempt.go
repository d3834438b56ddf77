package steady

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

const (
	// largestReply bounds what one reply may take of our memory.
	largestReply = 64 << 20
	// largestProblem is how much of a failed reply is read: more than any problem description, and little enough that giving up
	// the connection is dearer beyond.
	largestProblem = 64 << 10
)

// ErrAttemptTimeout ends an attempt that got no head of a reply within the policy's AttemptTimeout.
var ErrAttemptTimeout = errors.New("no reply within the attempt's timeout")

var errTooLarge = fmt.Errorf("reply larger than %d bytes", largestReply)

// Attempt is what came of one request.
type Attempt struct {
	Status int         // 0: no reply
	Header http.Header // of the reply
	Body   []byte      // whole for a 2xx; of any other reply the first 64 KiB that came
	Sent   bool        // it had a connection, so some of it may have reached the service
	Err    error       // why there is no whole reply
}

// Whole2xx tells whether the attempt succeeded: a 2xx of which every byte arrived.
func (a Attempt) Whole2xx() bool { return a.Err == nil && a.Status/100 == 2 }

type place struct{ try, hop int }

type placeKey struct{}

// Try tells which attempt of its operation a request is, from 1, by its context.
func Try(ctx context.Context) int {
	p, _ := ctx.Value(placeKey{}).(place)
	return p.try
}

// Hop tells how many redirects of its attempt a request comes after, by its context.
func Hop(ctx context.Context) int {
	p, _ := ctx.Value(placeKey{}).(place)
	return p.hop
}

// send makes one attempt, the try-th of its operation, wherever it is redirected to. A body that can be read once is not there for a second place.
func (r *run) send(ctx context.Context, try int) Attempt {
	call := r.call
	for hop := 0; ; hop++ {
		a := r.pass(context.WithValue(ctx, placeKey{}, place{try, hop}), call)
		to, ok := elsewhere(call.URL, a)
		if !ok || r.op.Once || hop == r.policy.Hops {
			return a
		}
		call = r.policy.Follow(call, to)
	}
}

// pass sends one request, if the guard of its origin lets it through. Waiting for a place is within the operation's time, and not within the
// attempt's own.
func (r *run) pass(ctx context.Context, call drive.Call) (a Attempt) {
	leave, err := r.guards.at(originOf(call.URL)).enter(ctx)
	if err != nil {
		return Attempt{Err: err}
	}
	defer func() { leave(a) }() // also when it panics
	return r.request(ctx, call)
}

// request sends one request. It is built from the call each time, so that each one is the same and whole.
func (r *run) request(ctx context.Context, call drive.Call) Attempt {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }}
	req, err := request(httptrace.WithClientTrace(ctx, trace), call, r.body(), r.op.Key)
	if err != nil {
		return Attempt{Err: err}
	}
	if r.policy.Tell != nil {
		left := timeLeft(ctx)
		if left < leastTold {
			<-ctx.Done()
			return Attempt{Err: context.Cause(ctx)}
		}
		r.policy.Tell(req.Header, left)
	}
	timer := time.AfterFunc(cmp.Or(r.policy.AttemptTimeout, Huge), func() { cancel(ErrAttemptTimeout) })
	reply, err := r.transport.RoundTrip(req)
	timer.Stop() // what comes after the head is the deadline's business
	if err != nil {
		return Attempt{Sent: sent.Load(), Err: err}
	}
	return read(reply)
}

// request is the call as one HTTP request.
func request(ctx context.Context, call drive.Call, body io.Reader, key string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, call.Method, call.URL, body)
	if err != nil {
		return nil, err
	}
	req.ContentLength = int64(len(call.Body)) // which net/http cannot tell of a stream
	for name, value := range call.Headers {
		req.Header.Set(name, value)
	}
	if call.Type != "" {
		req.Header.Set("Content-Type", call.Type)
	}
	once(req, call.KeyHeader, key)
	return req, nil
}

// read takes in a reply and closes it. A 2xx counts only when it is whole. Of any other reply the status says it all: what is
// missing of its body, or too much, changes nothing.
func read(reply *http.Response) Attempt {
	defer reply.Body.Close()
	a := Attempt{Status: reply.StatusCode, Header: reply.Header, Sent: true}
	if reply.StatusCode/100 != 2 {
		a.Body, _ = io.ReadAll(io.LimitReader(reply.Body, largestProblem))
		return a
	}
	body, err := io.ReadAll(io.LimitReader(reply.Body, largestReply+1))
	switch {
	case err != nil:
		a.Err = fmt.Errorf("reply %d cut short after %d bytes: %w", reply.StatusCode, len(body), err)
	case len(body) > largestReply:
		a.Err = errTooLarge
	default:
		a.Body = body
	}
	return a
}
