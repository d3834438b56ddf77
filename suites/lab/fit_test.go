package lab

import (
	"context"
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
				hello := drive.Hello{Name: "c", Claims: drive.Claims{AttemptTimeoutMS: tt.timeoutMS}}
				c := drive.Go(hello, func(drive.Dial) drive.Client {
					return drive.Func(func(context.Context, drive.Call) drive.Result {
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
