package steady

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"github.com/brownout-dev/brownout/suites/drive"
)

// run is one operation on its way.
type run struct {
	transport http.RoundTripper
	budget    Budget
	guards    *guards
	origin    string // that the budget knows the service by
	policy    Policy
	call      drive.Call
	random    *rand.Rand
	body      func() io.Reader // of each attempt

	began  time.Time
	op     Operation
	own    time.Duration // the last own backoff
	wait   time.Duration // before the next attempt
	last   Attempt
	status int    // of the last reply received
	gaveUp string // why there was no further attempt, where the last one does not tell
}

func newRun(c *Client, p Policy, call drive.Call) *run {
	r := &run{transport: c.transport, budget: c.budget, guards: c.guards, origin: originOf(call.URL), policy: p, call: call, random: random(p.Seed, string(call.Operation))}
	r.began = time.Now()
	r.op = Operation{Method: call.Method, Once: call.Stream}
	r.body = func() io.Reader { return bytes.NewReader(call.Body) }
	if call.Stream {
		stream := io.MultiReader(bytes.NewReader(call.Body)) // not to be rewound
		r.body = func() io.Reader { return stream }
	}
	switch {
	case call.KeyHeader == "":
	case call.KeyGiven:
		r.op.Key, r.op.Given = call.Key, true
	case takesKey(call.Method):
		r.op.Key = p.Key(r.random)
	}
	return r
}

// attempts makes as many as the policy allows. What failsafe-go returns is not used: it drops an attempt that is over when the
// context ended meanwhile.
func (r *run) attempts(ctx context.Context) {
	retry := retrypolicy.NewBuilder[Attempt]().
		WithMaxAttempts(max(1, r.policy.MaxAttempts)).
		HandleIf(func(Attempt, error) bool { return r.again(ctx) }).
		WithDelayFunc(func(failsafe.ExecutionAttempt[Attempt]) time.Duration { return r.wait }).
		ReturnLastFailure().
		Build()
	r.budget.Earn(r.origin)
	_ = failsafe.With(retry).WithContext(ctx).Run(func() error {
		r.last = r.answer(ctx)
		return nil
	})
}

// again decides on another attempt after the last one, and on the wait before it. An operation that is out of attempts, out of time or cancelled
// has none.
func (r *run) again(ctx context.Context) bool {
	if r.op.Attempts >= r.policy.MaxAttempts || ctx.Err() != nil || !r.policy.Retryable(r.op, r.last) {
		return false
	}
	r.own = r.policy.Backoff(r.policy, r.random, r.op.Attempts, r.own)
	r.wait = r.policy.Wait(r.random, r.own, r.last)
	if left := timeLeft(ctx); !r.policy.Worth(r.wait, left) {
		r.gaveUp = fmt.Sprintf("the next attempt would have to wait %v, and %v are left", r.wait, left)
		return false
	}
	if kept := r.policy.KeyRetention; kept > 0 && r.op.Key != "" && time.Since(r.began)+r.wait >= kept {
		r.gaveUp = fmt.Sprintf("the key would be %v old by the next attempt, and is kept for %v", time.Since(r.began)+r.wait, kept)
		return false
	}
	if !r.budget.Spend(r.origin, ForRetry) { // last: what is not to be made is not paid for
		r.gaveUp = "the retry budget is spent"
		return false
	}
	return true
}

// timeLeft is the time until the context's deadline, [Huge] if it has none.
func timeLeft(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline)
	}
	return Huge
}

// result is what the caller is told.
func (r *run) result() drive.Result {
	result := drive.Result{Outcome: r.policy.Outcome(r.op, r.last), Status: r.status, Body: r.last.Body}
	if result.Outcome == drive.OK {
		return result
	}
	result.Err = fmt.Sprintf("attempt %d: ", r.op.Attempts)
	if r.last.Err != nil {
		result.Err += r.last.Err.Error()
	} else {
		result.Err += fmt.Sprintf("%d %s", r.last.Status, http.StatusText(r.last.Status))
	}
	if r.gaveUp != "" && r.op.Attempts < r.policy.MaxAttempts {
		result.Err += "; " + r.gaveUp
	}
	return result
}
