package steady_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func status(n int) steady.Attempt { return steady.Attempt{Status: n, Sent: true} }

func failed(err error) steady.Attempt { return steady.Attempt{Err: err, Sent: true} }

func TestHealth(t *testing.T) {
	tests := []struct {
		name    string
		attempt steady.Attempt
		want    steady.Vote
		why     string
	}{
		{"success", status(200), steady.Good, ""},
		{"not modified", status(304), steady.Good, "it answered"},
		{"not found", status(404), steady.Good, "the caller's own error is a sign of life"},
		{"conflict", status(409), steady.Good, "the caller's own error is a sign of life"},
		{"request timeout", status(408), steady.Bad, "it was too slow"},
		{"too many requests", status(429), steady.Bad, "it has too much to do"},
		{"server error", status(500), steady.Bad, ""},
		{"unavailable", status(503), steady.Bad, ""},
		{"attempt timed out", failed(steady.ErrAttemptTimeout), steady.Bad, "slow is worse than dead"},
		{"deadline", failed(context.DeadlineExceeded), steady.Bad, "slow is worse than dead"},
		{"broken connection", failed(errors.New("reset")), steady.Bad, ""},
		{"body cut short", steady.Attempt{Status: 200, Err: errors.New("unexpected end")}, steady.Bad, ""},
		{"cancelled", failed(context.Canceled), steady.Silent, "the caller's will says nothing of the service"},
		{"no end", steady.Attempt{}, steady.Silent, "something panicked"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := steady.Health(tt.attempt); got != tt.want {
				t.Errorf("got %d, want %d: %s", got, tt.want, tt.why)
			}
		})
	}
}

// circuit is what these tests are about: three failures in ten seconds, one second, two probes.
func circuit() steady.Circuit {
	return steady.Circuit{Threshold: 3, Window: 10 * time.Second, Cooldown: time.Second, Probes: 2, Health: steady.Health}
}

// enter asks for an attempt that has to be let through.
func enter(t *testing.T, b steady.Breaker) (leave func(steady.Attempt)) {
	t.Helper()
	leave, ok := b.Enter()
	if !ok {
		t.Fatal("got a refusal, want an attempt")
	}
	return leave
}

// refuses expects no attempt to be let through.
func refuses(t *testing.T, b steady.Breaker, why string) {
	t.Helper()
	if _, ok := b.Enter(); ok || b.Ready() {
		t.Errorf("got an attempt, want a refusal: %s", why)
	}
}

// trip opens a breaker.
func trip(t *testing.T, b steady.Breaker) {
	t.Helper()
	for range circuit().Threshold {
		enter(t, b)(status(500))
	}
	refuses(t, b, "it has failed often enough")
}

func TestBreakerStaysClosed(t *testing.T) {
	tests := []struct {
		name     string
		attempts []steady.Attempt
		every    time.Duration
	}{
		{"fewer failures than the threshold", []steady.Attempt{status(500), status(500)}, 0},
		{"failures that are far apart", []steady.Attempt{status(500), status(500), status(500), status(500)}, 5 * time.Second},
		{"failures that are few among many", []steady.Attempt{status(200), status(500), status(200), status(500), status(200), status(200), status(500)}, 0},
		{"the caller's own errors", []steady.Attempt{status(404), status(422), status(401), status(404)}, 0},
		{"cancelled attempts", []steady.Attempt{failed(context.Canceled), failed(context.Canceled), failed(context.Canceled)}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := steady.NewBreaker(circuit())
				for _, a := range tt.attempts {
					enter(t, b)(a)
					time.Sleep(tt.every)
				}
				enter(t, b)
			})
		})
	}
}

func TestBreakerOpensAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := steady.NewBreaker(circuit())
		trip(t, b)
		time.Sleep(time.Second - time.Millisecond)
		refuses(t, b, "the cooldown is not over")
		time.Sleep(time.Millisecond)
		first, second := enter(t, b), enter(t, b)
		refuses(t, b, "both probes are under way")
		first(status(200))
		refuses(t, b, "one probe was good, and one is under way")
		second(status(200))
		for range 10 {
			enter(t, b)(status(200))
		}
	})
}

func TestBreakerOpensAgainAtTheFirstBadProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := steady.NewBreaker(circuit())
		trip(t, b)
		time.Sleep(time.Second)
		first, second := enter(t, b), enter(t, b)
		first(status(503))
		refuses(t, b, "a probe failed")
		time.Sleep(time.Second)
		enter(t, b)
		second(status(200)) // a probe of the time before
		enter(t, b)
		refuses(t, b, "a probe of the time before has no say, and no place to give back")
	})
}

func TestBreakerGivesASilentProbesPlaceToAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := steady.NewBreaker(circuit())
		trip(t, b)
		time.Sleep(time.Second)
		first := enter(t, b)
		enter(t, b)
		first(failed(context.Canceled))
		enter(t, b)
		refuses(t, b, "one place was given back, and not two")
	})
}

func TestBreakerForgetsWhatWasSentBeforeItOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := steady.NewBreaker(circuit())
		late := enter(t, b)
		trip(t, b)
		time.Sleep(time.Second)
		enter(t, b)
		late(status(500))
		enter(t, b)
		refuses(t, b, "the late failure is no probe's: it neither opens the breaker nor gives a place back")
	})
}

func TestOpenBreakerAnswersAtOnceAndSendsNothing(t *testing.T) {
	with := func(p *steady.Policy) {
		p.Breaker = func(string) steady.Breaker { return steady.NewBreaker(circuit()) }
	}
	s := &service{script: []step{say(500, "")}}
	virtually(t, s, seeded(with), func(t *testing.T, c *steady.Client) {
		for range 3 {
			c.Do(t.Context(), call())
		}
		began := time.Now()
		got := c.Do(t.Context(), call())
		if took := time.Since(began); took != 0 || len(s.requests()) != 3 || got.Outcome != drive.Failed {
			t.Errorf("got %+v after %v with %d requests, want failed at once and no fourth", got, took, len(s.requests()))
		}
		other := call(func(c *drive.Call) { c.URL = "http://bank.test/v1/payments" })
		c.Do(t.Context(), other)
		if len(s.requests()) != 4 {
			t.Errorf("got %d requests, want a fourth: another origin has a breaker of its own", len(s.requests()))
		}
	})
}

// A write that may have been applied stays in doubt when the breaker refuses its repetition.
func TestRefusedRetryKeepsTheDoubt(t *testing.T) {
	one := circuit()
	one.Threshold = 1
	with := func(p *steady.Policy) {
		p.Breaker = func(string) steady.Breaker { return steady.NewBreaker(one) }
	}
	s := &service{script: []step{say(http.StatusBadGateway, "")}}
	virtually(t, s, seeded(with), func(t *testing.T, c *steady.Client) {
		if got := c.Do(t.Context(), call()); got.Outcome != drive.Unknown || got.Status != http.StatusBadGateway || len(s.requests()) != 1 {
			t.Errorf("got %+v with %d requests, want unknown after the one", got, len(s.requests()))
		}
	})
}
