package steady

import (
	"context"
	"errors"
	"time"
)

// Hedge says when to ask a second time without waiting for the first answer. The zero Hedge never does.
type Hedge struct {
	Delay       time.Duration // from one attempt to the next
	MaxAttempts int           // under way for one answer; the first one counts
}

// ErrLost ends the attempts of an operation beside one that succeeded.
var ErrLost = errors.New("another attempt was answered first")

// OnlyReads lets safe methods be hedged. A write with a key could be as well; but its copy would only meet the first one still running, and
// learn nothing.
func OnlyReads(o Operation) bool { return o.Safe() && !o.Once }

// AsksForRest tells whether a reply forbids further attempts, or asks to be left alone for a while: then nobody is asked a second time (gRFC
// A6, Pushback).
func AsksForRest(a Attempt) bool {
	wait, ok := RetryAfter(a.Header, time.Now())
	return ok && wait > 0 || a.Header.Get(Pushback) == "false"
}

// answer makes an attempt and, as far as the policy hedges the operation, others beside it while there is no answer. The first success ends
// the others, and none of them is under way when it returns. A failure ends nothing: another may still succeed. Where nothing else is under
// way there is nothing to hedge, and the retry policy decides.
func (r *run) answer(ctx context.Context) Attempt {
	left := min(r.policy.Hedge.MaxAttempts, r.policy.MaxAttempts-r.op.Attempts) - 1
	r.op.Attempts++
	if left < 1 || !r.policy.Hedgeable(r.op) {
		a := r.send(ctx, r.op.Attempts)
		r.note(a)
		return a
	}
	return r.race(ctx, left)
}

// race is an answer to the attempt that was counted last and to at most so many hedges.
func (r *run) race(ctx context.Context, hedges int) (told Attempt) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	answers, running := make(chan Attempt), 0
	start := func() {
		running++
		go func(try int) { answers <- r.send(ctx, try) }(r.op.Attempts)
	}
	start()
	timer := time.NewTimer(r.policy.Hedge.Delay)
	defer timer.Stop()
	for running > 0 {
		select {
		case a := <-answers:
			running--
			r.note(a)
			told = r.better(told, a)
			if told.Whole2xx() {
				cancel(ErrLost)
			}
			if told.Whole2xx() || r.policy.Halts(a) {
				hedges = 0
			}
		case <-timer.C:
			if hedges == 0 || ctx.Err() != nil || !r.budget.Spend(r.origin, ForHedge) {
				continue // the timer is not set again
			}
			hedges--
			r.op.Attempts++
			start()
			timer.Reset(r.policy.Hedge.Delay)
		}
	}
	return told
}

// better is the one of two answers that counts: a success before all, then a reply that asks for rest, since it binds us, then the
// later one, if it is a reply at all.
func (r *run) better(old, fresh Attempt) Attempt {
	switch {
	case fresh.Whole2xx():
		return fresh
	case old.Whole2xx(), r.policy.Halts(old), old.Status != 0 && fresh.Status == 0:
		return old
	}
	return fresh
}

// note keeps what an attempt says of the operation.
func (r *run) note(a Attempt) {
	r.op.Doubt = r.op.Doubt || doubtful(r.op, a)
	if a.Status != 0 {
		r.status = a.Status
	}
}
