package lab

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/drive"
)

func TestCasesFitTheClient(t *testing.T) {
	const text = `name: fits
says: The dependency is slow.
cases:
  - {name: held, request: GET /v1/catalogue, deadline: 4s, scale: attempt-timeout, script: [delay 800ms]}
  - {name: elsewhere, request: GET /v1/catalogue, deadline: 4s, origin: second}
`
	s, err := scenarios.Parse("fits.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name      string
		timeoutMS int
		skipped   int
		deadline  time.Duration // of the first case, where it was played
		script    string
	}{
		{"half a second", 500, 0, 2 * time.Second, `[delay 400ms before-commit]`},
		{"nothing claimed", 0, 1, 0, ""},
		{"a minute", 60_000, 1, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var called []drive.Call
				hello := drive.Hello{Name: "c", Claims: drive.Claims{AttemptTimeoutMS: tt.timeoutMS}}
				c := drive.Go(hello, func(drive.Dial) drive.Client {
					return drive.Func(func(_ context.Context, c drive.Call) drive.Result {
						called = append(called, c)
						return drive.Result{Outcome: drive.Failed, Began: time.Now(), Ended: time.Now()}
					})
				})
				got, err := Virtual(c, 1).Play(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				if len(got.Skipped) != tt.skipped || len(got.Operations) != 2-tt.skipped {
					t.Fatalf("got %d operations, skipped %v, want %d skipped", len(got.Operations), got.Skipped, tt.skipped)
				}
				if first := got.Operations[0]; tt.deadline > 0 && (first.Deadline != clock.Span(tt.deadline) || first.Script != tt.script) {
					t.Errorf("got deadline %v, script %s, want %v, %s", first.Deadline, first.Script, tt.deadline, tt.script)
				}
			})
		})
	}
}

func TestCasesThatNeedAFeature(t *testing.T) {
	const text = `name: needs
says: The dependency is sound.
cases:
  - {name: broken off, request: GET /v1/catalogue, needs: breaker, scale: cooldown}
  - {name: cancelled, request: GET /v1/catalogue, needs: cancel}
`
	s, err := scenarios.Parse("needs.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	breaker := drive.Claims{Breaker: drive.CircuitBreaker{CooldownMS: 500}}
	tests := []struct {
		name     string
		features []drive.Feature
		claims   drive.Claims
		reasons  []string
	}{
		{"both", []drive.Feature{drive.Breaker, drive.Cancel}, breaker, nil},
		{"neither", nil, breaker, []string{"the client does not have the feature breaker", "the client does not have the feature cancel"}},
		{"without numbers", []drive.Feature{drive.Breaker, drive.Cancel}, drive.Claims{}, []string{"the client claims no cooldown, which this case is measured in"}},
		{"a process each", []drive.Feature{drive.Breaker, drive.Cancel, drive.ProcessPerCall}, breaker, []string{"each operation is a process of its own, so nothing is shared"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hello := drive.Hello{Name: "c", Features: tt.features, Claims: tt.claims}
				c := drive.Go(hello, func(drive.Dial) drive.Client {
					return drive.Func(func(context.Context, drive.Call) drive.Result { return drive.Result{Outcome: drive.Failed} })
				})
				got, err := Virtual(c, 1).Play(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				var reasons []string
				for _, s := range got.Skipped {
					reasons = append(reasons, s.Reason)
				}
				if !slices.Equal(reasons, tt.reasons) {
					t.Errorf("got %q, want %q", reasons, tt.reasons)
				}
			})
		})
	}
}
