//go:build unix

package drive

import (
	"context"
	"fmt"
	"time"
)

// ask asks a call of a process and waits for its answer. asked is false if the process came to its end before the call was written to it;
// then it may be asked of another one.
func (c *jsonlClient) ask(ctx context.Context, s *session, call Call) (r Result, asked bool) {
	id := fmt.Sprintf("c%d", c.count.Add(1))
	line, err := callLine(id, call, c.hello.Has(PolicyPerCall))
	if err != nil {
		return refused(err.Error()), true
	}
	a, ok := s.expect(id, call.Operation)
	if !ok {
		return Result{}, false
	}
	if r, written := c.write(ctx, s, a, line); !written {
		return r, r.Outcome != ""
	}
	ctx, stop := c.calls.patient(ctx, call.Patience)
	defer stop()
	select {
	case r = <-a.answer:
	case <-ctx.Done():
		r = c.giveUp(s, a, id)
	}
	r.GaveUp = ctx.Err() != nil
	return r, true
}

// write has the line of a call written. Where it could not be, r says why; without r the process came to its end for another reason.
//
// A process that does not read on is killed: the time that a call waits in the pipe would be taken for the client's own.
func (c *jsonlClient) write(ctx context.Context, s *session, a *asked, line []byte) (r Result, written bool) {
	ctx, stop := c.calls.patient(ctx, 0)
	defer stop()
	timer := time.NewTimer(c.options.Unread)
	defer timer.Stop()
	outbox, unread := s.outbox, false
	for {
		select {
		case outbox <- outgoing{line: line, call: a}:
			outbox = nil
		case <-a.begun:
			return Result{}, true
		case <-timer.C:
			unread = true
			s.fail(fmt.Sprintf("left a call unread for %v: want it to read on while calls are under way", c.options.Unread))
		case <-s.over:
			switch {
			case a.written():
				return Result{}, true
			case unread:
				return refused(s.how + "\n" + s.words()), false
			}
			return Result{}, false
		case <-ctx.Done():
			if a.written() {
				return Result{}, true
			}
			r, came := s.leave(a)
			if !came {
				r.Began, r.Trouble = r.Ended, "not asked: the play gave up while the call was being written\n"+r.LastWords
			}
			return r, false
		}
	}
}

// giveUp is for when the play's patience is over.
func (c *jsonlClient) giveUp(s *session, a *asked, id string) Result {
	why := `it does not declare the feature "cancel", so the call is left to it`
	switch {
	case c.calls.ctx.Err() != nil: // bye cancels all calls, and a process that has ended answers them
		return <-a.answer
	case c.hello.Has(Cancel):
		if r, ok := s.cancel(a, id, c.options.Grace); ok {
			return r
		}
		why = fmt.Sprintf("it was told to cancel, and did not answer within %v", c.options.Grace)
	}
	r, came := s.leave(a)
	if !came {
		r.Trouble = "did not come back before the play gave up; " + why + "\n" + r.LastWords
	}
	return r
}

// cancel asks for a call to be ended, and waits for its answer.
func (s *session) cancel(a *asked, id string, grace time.Duration) (r Result, ok bool) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	outbox := s.outbox
	for {
		select {
		case outbox <- outgoing{line: cancelLine(id)}:
			outbox = nil
		case r := <-a.answer:
			return r, true
		case <-timer.C:
			return Result{}, false
		}
	}
}
