//go:build unix

package drive

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// jsonlClient is the client of one play. It has one process at a time.
type jsonlClient struct {
	*jsonlCarrier
	calls *inFlight
	count atomic.Int64 // of the calls, over all processes: an id is never used again

	door     chan struct{} // holds one: who is inside may touch what follows
	now      *session
	restarts int
	told     []error // how earlier processes ended between two calls
}

func (c *jsonlClient) Do(ctx context.Context, call Call) Result {
	land, ok := c.calls.begin(call.Operation)
	if !ok {
		return refused("called after its play had ended")
	}
	defer land()
	waiting, stop := c.calls.patient(ctx, 0)
	defer stop()
	for {
		s, err := c.session(waiting)
		if err != nil {
			r := refused(err.Error())
			r.GaveUp = waiting.Err() != nil
			return r
		}
		if r, asked := c.ask(ctx, s, call); asked {
			return r
		}
	}
}

var errNotAsked = errors.New("not asked: the play had given up before the client's process was ready")

// session gives the process that takes calls, and starts one if the last one has ended.
func (c *jsonlClient) session(ctx context.Context) (*session, error) {
	select {
	case c.door <- struct{}{}:
		defer func() { <-c.door }()
	case <-ctx.Done():
		return nil, errNotAsked
	}
	if ctx.Err() != nil { // both were ready, and chance chose
		return nil, errNotAsked
	}
	if c.now.takesCalls() {
		return c.now, nil
	}
	select {
	case <-c.now.over:
	case <-ctx.Done():
		return nil, errNotAsked
	}
	if c.restarts == maxRestarts {
		return nil, fmt.Errorf("not asked: %d processes of the client have come to their end in this play, and no more are started; of the last one: %s\n%s",
			1+maxRestarts, c.now.how, c.now.words())
	}
	c.restarts++
	s, err := c.again(ctx)
	if err != nil {
		return nil, fmt.Errorf("not asked: %w", err)
	}
	if err := c.now.untold(); err != nil {
		c.told = append(c.told, err)
	}
	c.now = s
	return s, nil
}

// end tells the process to go: it answers the calls under way by itself, and nothing of it is left afterwards.
func (c *jsonlClient) end() error {
	c.calls.cancel()
	c.door <- struct{}{} // who is inside has just been told to come out
	defer func() { <-c.door }()
	c.now.bye(c.options.Farewell)
	return errors.Join(errors.Join(c.told...), c.now.untold(), c.calls.end(farewell))
}
