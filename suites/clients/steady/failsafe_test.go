package steady_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/budget"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/hedgepolicy"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

// These tests hold the package comment to what failsafe-go does: one that fails says that a part of this package is no longer needed.

func TestFailsafeHTTPReadsOnlySomeHints(t *testing.T) {
	const unread = -1 // its word for "none"
	tests := []struct {
		name   string
		fields []string
		got    time.Duration
		right  string
	}{
		{"date", []string{"Wed, 04 Mar 2026 05:06:10 GMT"}, unread, "the time until then"},
		{"zero", []string{"0"}, 0, "the own backoff"},
		{"negative", []string{"-5"}, -5 * time.Second, "no hint"},
		{"overflow", []string{"9223372037"}, -9223372036709551616, "huge"},
		{"two fields", []string{"1", "2"}, time.Second, "no hint"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reply := &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": tt.fields}}
			if got := failsafehttp.DelayFunc(replied{reply: reply}); got != tt.got {
				t.Errorf("got %v, it was %v (right would be %s)", got, tt.got, tt.right)
			}
		})
	}
}

// replied is an attempt that got a reply; nothing else of it is asked for.
type replied struct {
	failsafe.ExecutionAttempt[*http.Response]
	reply *http.Response
}

func (r replied) LastResult() *http.Response { return r.reply }

func TestFailsafeSleepsIntoTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		began := time.Now()
		retry := retrypolicy.NewBuilder[int]().WithDelay(24 * time.Hour).ReturnLastFailure().Build()
		got, err := failsafe.With(retry).WithContext(ctx).Get(func() (int, error) { return 503, errors.New("unavailable") })
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("came back after %v, it was 3s", took)
		}
		if got != 0 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %d, %v; it was 0 and the context's error in place of the last failure", got, err)
		}
	})
}

func TestFailsafeDropsAnAttemptThatIsOver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	retry := retrypolicy.NewWithDefaults[int]()
	got, err := failsafe.With(retry).WithContext(ctx).Get(func() (int, error) {
		cancel() // as the last byte of a whole reply arrives
		return 201, nil
	})
	if got != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("got %d, %v; it was 0 and context.Canceled in place of the 201", got, err)
	}
}

func TestFailsafeTakesNoAttemptsAsNoLimit(t *testing.T) {
	const enough = 100
	n := 0
	retry := retrypolicy.NewBuilder[int]().WithMaxAttempts(0).Build()
	_ = failsafe.With(retry).Run(func() error {
		if n++; n == enough {
			return nil
		}
		return errors.New("again")
	})
	if n != enough {
		t.Errorf("got %d attempts, it went on until it was let go at %d", n, enough)
	}
}

func TestFailsafeBudgetForgetsWhatIsOver(t *testing.T) {
	const operations, attempts = 100, 3
	n := 0
	few := budget.NewBuilder().WithMaxRate(0.1).WithMinConcurrency(1).Build()
	retry := retrypolicy.NewBuilder[int]().WithMaxAttempts(attempts).WithBudget(few).Build()
	for range operations {
		_ = failsafe.With(retry).Run(func() error { n++; return errors.New("unavailable") })
	}
	if n != operations*attempts {
		t.Errorf("got %d attempts, it was all %d: one after the other, each retry fits into a budget of a tenth", n, operations*attempts)
	}
}

func TestFailsafeBudgetHidesTheLastFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		none := budget.NewBuilder().WithMaxRate(-1).WithMinConcurrency(0).Build()
		retry := retrypolicy.NewBuilder[int]().WithDelay(time.Second).WithBudget(none).ReturnLastFailure().Build()
		got, err := failsafe.With(retry).Get(func() (int, error) { return 503, errors.New("unavailable") })
		if got != 0 || !errors.Is(err, budget.ErrExceeded) {
			t.Errorf("got %d, %v; it was 0 and budget.ErrExceeded in place of the last failure", got, err)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("came back after %v, it was the whole backoff", took)
		}
	})
}

// failsafeBreaker opens at the first failure, for a second, and closes after one good probe.
func failsafeBreaker() circuitbreaker.CircuitBreaker[int] {
	return circuitbreaker.NewBuilder[int]().WithDelay(time.Second).Build()
}

func TestFailsafeBreakerWaitsForEverForAProbeWithoutAVerdict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := failsafeBreaker()
		b.RecordFailure()
		time.Sleep(time.Second)
		if !b.TryAcquirePermit() { // the probe is cancelled: that is neither a success nor a failure, and there is no third word
			t.Fatal("got no probe after the delay")
		}
		time.Sleep(24 * time.Hour)
		if b.TryAcquirePermit() {
			t.Error("got another probe, it stayed half open for ever")
		}
	})
}

func TestFailsafeBreakerTakesALateFailureForAProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := failsafeBreaker()
		b.TryAcquirePermit() // an attempt that takes its time
		b.RecordFailure()    // another one opens the breaker
		time.Sleep(time.Second)
		if !b.TryAcquirePermit() {
			t.Fatal("got no probe after the delay")
		}
		b.RecordSuccess() // of the attempt that was sent before the breaker opened
		if !b.IsClosed() {
			t.Error("got a breaker that waits for its probe, it was closed by an attempt that was none")
		}
	})
}

// hedge asks a service that answers each attempt by its number, from 1, with hedges a second apart; the first 200 ends it.
func hedge(t *testing.T, service func(ctx context.Context, attempt int) int) (status int, took time.Duration) {
	t.Helper()
	policy := hedgepolicy.NewBuilderWithDelay[int](time.Second).WithMaxHedges(2).
		CancelIf(func(status int, _ error) bool { return status == 200 }).Build()
	var n atomic.Int32
	began := time.Now()
	status, _ = failsafe.With(policy).GetWithExecution(func(e failsafe.Execution[int]) (int, error) {
		return service(e.Context(), int(n.Add(1))), nil
	})
	return status, time.Since(began)
}

func TestFailsafeHedgesWhatIsNotUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, took := hedge(t, func(_ context.Context, attempt int) int { return 500 + attempt })
		if got != 503 || took != 2*time.Second {
			t.Errorf("got %d after %v; it was the third of three failures, after two delays that hedged nothing", got, took)
		}
	})
}

func TestFailsafeHedgeLeavesLosersRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int32
		hedge(t, func(ctx context.Context, attempt int) int {
			running.Add(1)
			defer running.Add(-1)
			if attempt == 1 {
				<-ctx.Done()
				time.Sleep(time.Minute) // it has been told to end, and takes its time
			}
			return 200
		})
		if got := running.Load(); got != 1 {
			t.Errorf("got %d attempts under way after the answer, it was 1", got)
		}
		time.Sleep(time.Minute) // virtual: until it is over
	})
}
