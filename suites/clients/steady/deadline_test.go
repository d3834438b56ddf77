package steady_test

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

const forever = 1 << 30

func TestOneDeadline(t *testing.T) {
	slow := func(s step) step { return after(4*time.Second, s) }
	tests := []struct {
		name     string
		call     drive.Call
		script   []step
		took     time.Duration
		attempts int
		outcome  drive.Outcome
		why      string
	}{
		{"held", call(within(3 * time.Second)), []step{hold}, 3 * time.Second, 1, drive.Unknown, "DL-01"},
		{"held, unkeyed", call(unkeyed, within(3*time.Second)), []step{hold}, 3 * time.Second, 1, drive.Unknown, "an expired deadline is no licence"},
		{"held, read", call(get, within(3*time.Second)), []step{hold}, 3 * time.Second, 1, drive.Failed, "a safe method is never unknown"},
		{"slow failures", call(within(5 * time.Second)), []step{slow(say(502, "")), slow(say(502, ""))}, 5 * time.Second, 2, drive.Unknown, "one deadline over all attempts"},
		{"a day", call(within(3 * time.Second)), []step{say(503, "", "Retry-After: 86400")}, 0, 1, drive.Failed, "no sleep into a certain failure"},
		{"exactly the time left", call(within(3 * time.Second)), []step{say(503, "", "Retry-After: 3")}, 0, 1, drive.Failed, "the next attempt would begin at the deadline"},
		{"overflow", call(within(3 * time.Second)), []step{say(429, "", "Retry-After: 18446744073709551616")}, 0, 1, drive.Failed, "huge, not zero"},
		{"no deadline", call(within(0)), []step{hold}, 30 * time.Second, 1, drive.Unknown, "every call is bounded"},
		{"a deadline beyond the bound", call(within(time.Hour)), []step{hold}, 30 * time.Second, 1, drive.Unknown, "no call lasts longer, deadline or not"},
		{"dripping body", call(get, within(3*time.Second)), []step{drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", forever, 100*time.Millisecond)}, 3 * time.Second, 1, drive.Failed, "the body is under the deadline too"},
		{"dripping head", call(get, within(3*time.Second)), []step{drip("HTTP/1.1 200 OK\r\nX-Slow: ", forever, 100*time.Millisecond)}, 3 * time.Second, 1, drive.Failed, "and the head"},
		{"refusal with a dripping body", call(within(3 * time.Second)), []step{drip("HTTP/1.1 422 No\r\nContent-Length: 1000\r\n\r\n", forever, 100*time.Millisecond)}, 3 * time.Second, 1, drive.Failed, "its status came whole"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: tt.script}
			virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
				began := time.Now()
				got := c.Do(t.Context(), tt.call)
				if took := time.Since(began); took != tt.took {
					t.Errorf("took %v, want %v: %s", took, tt.took, tt.why)
				}
				time.Sleep(time.Minute) // virtual: nothing may go on after
				if n := len(s.requests()); n != tt.attempts || got.Outcome != tt.outcome {
					t.Errorf("got %d attempts, %s (%s), want %d, %s: %s", n, got.Outcome, got.Err, tt.attempts, tt.outcome, tt.why)
				}
			})
		})
	}
}

func TestAttemptTimeout(t *testing.T) {
	p := seeded(func(p *steady.Policy) { p.AttemptTimeout = time.Second })
	slowBody := drip("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n", 30, 100*time.Millisecond)
	tests := []struct {
		name     string
		call     drive.Call
		script   []step
		attempts int
		outcome  drive.Outcome
		why      string
	}{
		{"held once", call(), []step{hold, say(201, "")}, 2, drive.OK, "the next attempt has a timer of its own"},
		{"slow after a held one", call(), []step{hold, after(800*time.Millisecond, say(201, ""))}, 2, drive.OK, "a fresh timer, not what was left of the first"},
		{"held, unkeyed", call(unkeyed), []step{hold}, 1, drive.Unknown, "timed out is not refused"},
		{"a slow body", call(get), []step{slowBody}, 1, drive.OK, "the timer ends with the head"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: tt.script}
			virtually(t, s, p, func(t *testing.T, c *steady.Client) {
				got := c.Do(t.Context(), tt.call)
				if n := len(s.requests()); n != tt.attempts || got.Outcome != tt.outcome {
					t.Errorf("got %d attempts, %s (%s), want %d, %s: %s", n, got.Outcome, got.Err, tt.attempts, tt.outcome, tt.why)
				}
			})
		})
	}
}
