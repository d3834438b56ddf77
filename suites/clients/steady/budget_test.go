package steady_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

const here, there = "http://127.0.0.1:1", "http://127.0.0.1:2"

// spend takes as much as there is, up to n.
func spend(b steady.Budget, origin string, n int) (got int) {
	for range n {
		if b.Spend(origin, steady.ForRetry) {
			got++
		}
	}
	return got
}

func TestBucketBeginsFull(t *testing.T) {
	b := steady.Buckets(steady.Rate{Ratio: 0.1, Burst: 10})
	if got := spend(b, here, 20); got != 10 {
		t.Errorf("got %d tokens, want the 10 that can be saved up", got)
	}
	if got := spend(b, there, 20); got != 10 {
		t.Errorf("got %d tokens for another origin, want 10: it has a bucket of its own", got)
	}
}

func TestBucketRefills(t *testing.T) {
	tests := []struct {
		name  string
		earns int
		rest  time.Duration
		want  int
	}{
		{"nothing", 0, 0, 0},
		{"first attempts, a tenth each", 30, 0, 3},
		{"time, one a second", 0, 4 * time.Second, 4},
		{"both", 30, 4 * time.Second, 7},
		{"no more than can be saved up", 1000, time.Hour, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := steady.Buckets(steady.Rate{Ratio: 0.125, MinPerSecond: 1, Burst: 10})
				spend(b, here, 10)
				for range tt.earns {
					b.Earn(here)
				}
				time.Sleep(tt.rest)
				if got := spend(b, here, 20); got != tt.want {
					t.Errorf("got %d tokens, want %d", got, tt.want)
				}
			})
		})
	}
}

func TestEmptyBudgetReturnsTheReplyAtOnce(t *testing.T) {
	two := func(p *steady.Policy) {
		p.Budget = func() steady.Budget { return steady.Buckets(steady.Rate{Burst: 2}) }
	}
	s := &service{script: []step{say(503, "busy")}}
	virtually(t, s, seeded(two), func(t *testing.T, c *steady.Client) {
		c.Do(t.Context(), call())
		if got := len(s.requests()); got != 3 {
			t.Errorf("got %d attempts, want 3: two retries are paid for", got)
		}
		began := time.Now()
		got := c.Do(t.Context(), call())
		if took := time.Since(began); took != 0 || len(s.requests()) != 4 {
			t.Errorf("got %d attempts in all after %v, want a fourth and its answer at once", len(s.requests()), took)
		}
		if got.Outcome != drive.Failed || got.Status != 503 || string(got.Body) != "busy" {
			t.Errorf("got %+v, want what the attempt was told", got)
		}
	})
}

// What is not to be made is not paid for: neither a retry after the last attempt, nor one that the time left does not allow.
func TestBudgetIsSpentOnRetriesOnly(t *testing.T) {
	tests := []struct {
		name   string
		script []step
		with   []func(*drive.Call)
		left   int
	}{
		{"success", []step{say(201, "{}")}, nil, 10},
		{"all attempts", []step{say(503, "")}, nil, 7},
		{"not repeatable", []step{say(503, "")}, []func(*drive.Call){unkeyed}, 10},
		{"no time left", []step{say(503, "", "Retry-After: 120")}, nil, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			budget := steady.Buckets(steady.Rate{Burst: 10})
			shared := func(p *steady.Policy) { p.Budget = func() steady.Budget { return budget } }
			virtually(t, &service{script: tt.script}, seeded(shared), func(t *testing.T, c *steady.Client) {
				c.Do(t.Context(), call(tt.with...))
				if got := spend(budget, "http://shop.test", 20); got != tt.left {
					t.Errorf("got %d tokens left, want %d", got, tt.left)
				}
			})
		})
	}
}
