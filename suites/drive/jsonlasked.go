//go:build unix

package drive

import (
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/faults"
)

// asked is one call of a session.
type asked struct {
	operation faults.OperationID
	begun     chan struct{} // closed when its line was written
	answer    chan Result   // one, unless the session is over before the call began

	// Under the session's lock.
	began    time.Time // zero = its line was not written, or not whole
	answered bool
	left     bool // the play has given up on it: an answer is welcome, and read by nobody
}

// written tells whether the call's line has been written.
func (a *asked) written() bool {
	select {
	case <-a.begun:
		return true
	default:
		return false
	}
}

// expect makes ready for the answer to a call that is going to be asked; ok is false when the session takes no more calls.
func (s *session) expect(id string, op faults.OperationID) (c *asked, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, false
	}
	c = &asked{operation: op, begun: make(chan struct{}), answer: make(chan Result, 1)}
	s.asked[id] = c
	return c, true
}

// takesCalls tells whether the session takes calls; one that does not is coming to its end.
func (s *session) takesCalls() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closing
}

// begin is the moment when a call's line is written.
func (s *session) begin(c *asked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.began = time.Now()
	close(c.begun)
}

// leave gives up on a call, unless its answer has come meanwhile.
func (s *session) leave(c *asked) (r Result, came bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.answered {
		return <-c.answer, true
	}
	c.left = true
	return Result{Outcome: Error, GaveUp: true, Began: c.began, Ended: time.Now(), LastWords: s.words()}, false
}

// answer hands an answer to who asked.
func (s *session) answer(id string, r Result) (wrong string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.asked[id]
	switch {
	case c == nil:
		return fmt.Sprintf("answered %q, which it was never asked", id)
	case c.answered:
		return fmt.Sprintf("answered %q a second time", id)
	case c.began.IsZero():
		return fmt.Sprintf("answered %q before it had been asked", id)
	}
	c.answered = true
	r.Began, r.Ended = c.began, s.at
	c.answer <- r
	return ""
}
