package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// Go is a carrier for clients written in Go, which run inside this process. make is called once per play and must use dial for every
// connection. What a client has to give back when its play is over it says by a method Close() error or CloseIdleConnections().
//
// A panic inside Do is caught. One in a goroutine of the client's own ends this process: nobody can catch that.
func Go(h Hello, make func(dial Dial) Client) Carrier {
	h.Driver = "go"
	return goCarrier{h, make}
}

type goCarrier struct {
	hello Hello
	make  func(Dial) Client
}

func (g goCarrier) Hello() Hello { return g.hello }

func (g goCarrier) New(_ context.Context, dial Dial) (_ Client, done func() error, err error) {
	var inner Client
	if trouble := caught(func() { inner = g.make(dial) }); trouble != "" {
		return nil, nil, fmt.Errorf("the client could not be made: %s", trouble)
	}
	if inner == nil {
		return nil, nil, errors.New("the client could not be made: got nil, want a Client")
	}
	c := &goClient{inner: inner, calls: newInFlight()}
	return c, sync.OnceValue(c.end), nil
}

// goClient guards a client that cannot be killed: it catches panics, stamps times, and does not wait for ever.
type goClient struct {
	inner Client
	calls *inFlight
}

func (c *goClient) Do(ctx context.Context, call Call) Result {
	land, ok := c.calls.begin(call.Operation)
	if !ok {
		return refused("called after its play had ended")
	}
	ctx, cancel := c.calls.patient(ctx, call.Patience)
	defer cancel()

	began := time.Now()
	answer := make(chan Result, 1)
	go func() {
		defer land()
		r := Result{Outcome: Error, Trouble: "the client ended its goroutine (runtime.Goexit) instead of coming back"}
		defer func() {
			r.GaveUp, r.Began, r.Ended = ctx.Err() != nil, began, time.Now()
			answer <- r
		}()
		if trouble := caught(func() { r = measured(checked(c.inner.Do(ctx, call))) }); trouble != "" {
			r.Trouble = trouble
		}
	}()
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
	}
	grace := time.NewTimer(DefaultGrace)
	defer grace.Stop()
	select {
	case r := <-answer:
		return r
	case <-grace.C:
		return Result{
			Outcome: Error,
			Trouble: fmt.Sprintf("did not come back within %v after it was cancelled; a client in Go cannot be killed, so it is still running", DefaultGrace),
			Killed:  true, GaveUp: true, Began: began, Ended: time.Now(),
		}
	}
}

// farewell is how long done waits for calls that were cancelled: the same five seconds that any adapter has to end in.
const farewell = 5 * time.Second

func (c *goClient) end() error {
	return errors.Join(c.calls.end(farewell), c.release())
}

// release has the client give back what it keeps, and does not wait for ever either.
func (c *goClient) release() error {
	released := make(chan error, 1)
	go func() {
		var err error
		trouble := caught(func() {
			switch owner := c.inner.(type) {
			case io.Closer:
				err = owner.Close()
			case interface{ CloseIdleConnections() }:
				owner.CloseIdleConnections()
			}
		})
		if trouble != "" {
			err = errors.New(trouble)
		}
		released <- err
	}()
	timer := time.NewTimer(farewell)
	defer timer.Stop()
	select {
	case err := <-released:
		if err != nil {
			err = fmt.Errorf("the client could not be closed: %w", err)
		}
		return err
	case <-timer.C:
		return fmt.Errorf("the client was still closing itself after %v", farewell)
	}
}

// checked refuses an answer that is not in the contract's words.
func checked(r Result) Result {
	switch r.Outcome {
	case OK, Failed, Unknown, Error:
		return r
	}
	return Result{Outcome: Error, Trouble: fmt.Sprintf("unknown outcome %q: want one of ok, failed, unknown, error", r.Outcome)}
}

// measured tells the digest of the body for a client that gave the body alone, as the carriers of processes do.
func measured(r Result) Result {
	if r.Body != nil && r.BodySHA256 == "" && r.BodyBytes == 0 {
		_ = r.digest("", -1) // nothing is claimed that could be contradicted
	}
	return r
}

// stackLines is how much of a panic's stack is told: the frames nearest to the cause, two lines each.
const stackLines = 8

// caught runs f and tells of a panic, with the first lines of its stack; "" = f came back.
func caught(f func()) (trouble string) {
	defer func() {
		if p := recover(); p != nil {
			trouble = fmt.Sprintf("panic: %v\n%s", p, cause(string(debug.Stack())))
		}
	}()
	f()
	return ""
}

// cause leaves out the frames of our own that a caught panic's stack begins with.
func cause(stack string) string {
	if _, below, ok := strings.Cut(stack, "\npanic("); ok {
		_, stack, _ = strings.Cut(below, "\n")
	}
	lines := strings.Split(stack, "\n")
	return strings.Join(lines[:min(stackLines, len(lines))], "\n")
}
