package steady_test

import (
	"math/rand/v2"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) // a Wednesday
	tests := []struct {
		name   string
		fields []string
		wait   time.Duration
		ok     bool
		why    string
	}{
		{"none", nil, 0, false, "no hint"},
		{"seconds", []string{"2"}, 2 * time.Second, true, "RFC 9110, 10.2.3"},
		{"zero", []string{"0"}, 0, true, "now, if the own backoff allows"},
		{"IMF-fixdate", []string{"Wed, 04 Mar 2026 05:06:10 GMT"}, 3 * time.Second, true, "RFC 9110, 5.6.7"},
		{"RFC 850 date", []string{"Wednesday, 04-Mar-26 05:06:10 GMT"}, 3 * time.Second, true, "obsolete, still to be accepted"},
		{"asctime date", []string{"Wed Mar  4 05:06:10 2026"}, 3 * time.Second, true, "obsolete, still to be accepted"},
		{"past date", []string{"Wed, 04 Mar 2026 04:06:07 GMT"}, 0, true, "now, never negative"},
		{"day", []string{"86400"}, 24 * time.Hour, true, "as it is; the time left decides"},
		{"epoch", []string{"1764500000"}, 1764500000 * time.Second, true, "56 years, as it says"},
		{"more nanoseconds than a Duration has", []string{"9223372037"}, steady.Huge, true, "must not overflow"},
		{"more than 64 bits", []string{"18446744073709551616"}, steady.Huge, true, "must not overflow"},
		{"far date", []string{"Fri, 31 Dec 9999 23:59:59 GMT"}, steady.Huge, true, "must not overflow"},
		{"negative", []string{"-5"}, 0, false, "delay-seconds is digits"},
		{"signed", []string{"+5"}, 0, false, "delay-seconds is digits"},
		{"fraction", []string{"1.5"}, 0, false, "delay-seconds is digits"},
		{"hexadecimal", []string{"0x10"}, 0, false, "delay-seconds is digits"},
		{"exponent", []string{"1e400"}, 0, false, "delay-seconds is digits"},
		{"list", []string{"1,2"}, 0, false, "one value"},
		{"words", []string{"soon"}, 0, false, "neither form"},
		{"empty", []string{""}, 0, false, "neither form"},
		{"two fields", []string{"1", "2"}, 0, false, "they contradict each other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{}
			for _, f := range tt.fields {
				h.Add("Retry-After", f)
			}
			wait, ok := steady.RetryAfter(h, now)
			if wait != tt.wait || ok != tt.ok {
				t.Errorf("got %v %v, want %v %v: %s", wait, ok, tt.wait, tt.ok, tt.why)
			}
		})
	}
}

func TestRetryAfterTrustsTheServersClock(t *testing.T) {
	h := http.Header{
		"Date":        {"Wed, 04 Mar 2026 05:06:07 GMT"},
		"Retry-After": {"Wed, 04 Mar 2026 05:06:10 GMT"},
	}
	ours := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC) // four hours fast
	if got, _ := steady.RetryAfter(h, ours); got != 3*time.Second {
		t.Errorf("got %v, want the 3s between the two dates", got)
	}
}

func TestWaits(t *testing.T) {
	const spread = steady.Spread
	tests := []struct {
		name      string
		field     string
		low, high time.Duration // of the first wait
		why       string
	}{
		{"no hint", "X-Nothing: 1", 0, 100 * time.Millisecond, "full jitter of the base"},
		{"seconds", "Retry-After: 2", 2 * time.Second, 2*time.Second + spread, "never below the hint, jitter on top"},
		{"zero", "Retry-After: 0", 0, 100 * time.Millisecond, "own backoff"},
		{"garbage", "Retry-After: soon", 0, 100 * time.Millisecond, "own backoff"},
		{"above the cap", "Retry-After: 30", 30 * time.Second, 30*time.Second + spread, "honoured: the deadline allows it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: []step{say(503, "", tt.field), say(200, "")}}
			p := seeded(func(p *steady.Policy) { p.Bound = time.Hour })
			virtually(t, s, p, func(t *testing.T, c *steady.Client) {
				c.Do(t.Context(), call(get))
				seen := s.requests()
				if len(seen) != 2 {
					t.Fatalf("got %d attempts, want 2", len(seen))
				}
				if wait := seen[1].at.Sub(seen[0].at); wait < tt.low || wait > tt.high {
					t.Errorf("waited %v, want %v to %v: %s", wait, tt.low, tt.high, tt.why)
				}
			})
		})
	}
}

func TestRetryAfterDateInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{script: []step{
			say(503, "", "Retry-After: "+time.Now().Add(3*time.Second).UTC().Format(http.TimeFormat)),
			say(200, ""),
		}}
		c := steady.New(s.dial, seeded())
		defer c.CloseIdleConnections()
		c.Do(t.Context(), call(get))
		seen := s.requests()
		if wait := seen[1].at.Sub(seen[0].at); wait < 3*time.Second || wait > 3*time.Second+steady.Spread {
			t.Errorf("waited %v, want 3s and some jitter", wait)
		}
	})
}

func TestBackoff(t *testing.T) {
	p := steady.Default()
	const draws = 1000
	tests := []struct {
		name      string
		backoff   steady.Backoff
		retry     int
		last      time.Duration
		low, high time.Duration
	}{
		{"full, first", steady.FullJitter, 1, 0, 0, 100 * time.Millisecond},
		{"full, third", steady.FullJitter, 3, 0, 0, 400 * time.Millisecond},
		{"full, at the cap", steady.FullJitter, 35, 0, 0, 2 * time.Second},
		{"full, past 64 doublings", steady.FullJitter, 65, 0, 0, 2 * time.Second},
		{"full, past every float", steady.FullJitter, 1100, 0, 0, 2 * time.Second},
		{"equal, first", steady.EqualJitter, 1, 0, 50 * time.Millisecond, 100 * time.Millisecond},
		{"equal, at the cap", steady.EqualJitter, 1100, 0, time.Second, 2 * time.Second},
		{"decorrelated, first", steady.DecorrelatedJitter, 1, 0, 100 * time.Millisecond, 300 * time.Millisecond},
		{"decorrelated, later", steady.DecorrelatedJitter, 4, 500 * time.Millisecond, 100 * time.Millisecond, 1500 * time.Millisecond},
		{"decorrelated, at the cap", steady.DecorrelatedJitter, 9, 2 * time.Second, 100 * time.Millisecond, 2 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			least, most := time.Duration(1<<62), time.Duration(0)
			for range draws {
				w := tt.backoff(p, r, tt.retry, tt.last)
				least, most = min(least, w), max(most, w)
			}
			if least < tt.low || most > tt.high {
				t.Errorf("got waits of %v to %v, want none outside %v to %v", least, most, tt.low, tt.high)
			}
			tenth := (tt.high - tt.low) / 10
			if least > tt.low+tenth || most < tt.high-tenth {
				t.Errorf("got waits of %v to %v, want them to fill %v to %v", least, most, tt.low, tt.high)
			}
		})
	}
}

func TestOwnBackoffIsNotBelowTheHintAndNotReplacedByIt(t *testing.T) {
	hinted := steady.Attempt{Header: http.Header{"Retry-After": {"1"}}}
	r := rand.New(rand.NewPCG(1, 2))
	if got := steady.Patient(r, 5*time.Second, hinted); got < 5*time.Second {
		t.Errorf("got %v, want the larger of hint (1s) and own backoff (5s)", got)
	}
	if got := steady.Patient(r, 5*time.Second, steady.Attempt{}); got != 5*time.Second {
		t.Errorf("got %v, want the own backoff where there was no reply", got)
	}
}
