package steady_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func TestWhatAHopCarries(t *testing.T) {
	trusting := func(c *drive.Call) {
		c.Headers = map[string]string{"authorization": "Bearer t1", "Cookie": "session=s1", "X-Shop": "one"}
	}
	tests := []struct {
		name     string
		location string
		url      string
		trusted  bool
		why      string
	}{
		{"another path", "/elsewhere?x=1", "shop.test/elsewhere?x=1", true, "the same origin"},
		{"the same origin in full", "http://shop.test/elsewhere", "shop.test/elsewhere", true, "as before"},
		{"another host", "http://other.test/elsewhere", "other.test/elsewhere", false, "nobody entrusted it to that one"},
		{"another port", "http://shop.test:81/elsewhere", "shop.test:81/elsewhere", false, "another origin (RFC 9110, 4.3.1)"},
		{"a host by reference", "//other.test/elsewhere", "other.test/elsewhere", false, "another host"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: []step{say(307, "", "Location: "+tt.location), say(201, "{}")}}
			virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
				asked := call(trusting)
				c.Do(t.Context(), asked)
				seen := s.requests()
				if len(seen) != 2 {
					t.Fatalf("got %d requests, want 2", len(seen))
				}
				was, is := seen[0], seen[1]
				if is.url != tt.url || is.method != was.method || is.body != was.body || is.length != was.length {
					t.Errorf("got %s %s %q, want the same request to %s", is.method, is.url, is.body, tt.url)
				}
				for _, name := range []string{"Idempotency-Key", "Content-Type", "X-Shop"} {
					if is.header.Get(name) == "" || is.header.Get(name) != was.header.Get(name) {
						t.Errorf("%s: got %q, want %q", name, is.header.Get(name), was.header.Get(name))
					}
				}
				for _, name := range []string{"Authorization", "Cookie"} {
					if got := is.header.Get(name) != ""; got != tt.trusted || was.header.Get(name) == "" {
						t.Errorf("%s: got it carried %t, want %t: %s", name, got, tt.trusted, tt.why)
					}
				}
				if asked.Headers["Cookie"] == "" {
					t.Error("the caller's own headers were changed")
				}
			})
		})
	}
}

// What was dropped on the way is not taken up again when the way leads back.
func TestHopsThereAndBack(t *testing.T) {
	s := &service{script: []step{
		say(307, "", "Location: http://other.test/a"), say(307, "", "Location: http://shop.test/b"), say(201, "{}"),
	}}
	virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
		asked := call(func(c *drive.Call) { c.Headers = map[string]string{"Authorization": "Bearer t1"} })
		c.Do(t.Context(), asked)
		if last := s.requests()[2]; last.url != "shop.test/b" || last.header.Get("Authorization") != "" {
			t.Errorf("got %s with %q, want no credentials", last.url, last.header.Get("Authorization"))
		}
	})
}

func TestHopsEndWithTheDeadline(t *testing.T) {
	s := &service{script: []step{after(400*time.Millisecond, say(http.StatusTemporaryRedirect, "", "Location: /elsewhere"))}}
	virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
		began := time.Now()
		got := c.Do(t.Context(), call(get, within(time.Second)))
		if took := time.Since(began); took != time.Second || got.Outcome != drive.Failed {
			t.Errorf("got %s after %v, want failed after 1s", got.Outcome, took)
		}
	})
}

func TestNoAttemptWithAnOldKey(t *testing.T) {
	kept := seeded(func(p *steady.Policy) { p.KeyRetention = 2 * time.Second })
	tests := []struct {
		name     string
		call     drive.Call
		hint     string
		attempts int
		outcome  drive.Outcome
		why      string
	}{
		{"in time", call(), "1", 3, drive.OK, "the key is known still"},
		{"too late", call(), "2", 2, drive.Unknown, "the key would be new again, and the payment done twice"},
		{"no key", call(using("PUT"), unkeyed), "2", 3, drive.OK, "repeatable by its method"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: []step{hangUp, say(503, "", "Retry-After: "+tt.hint), say(201, "{}")}}
			virtually(t, s, kept, func(t *testing.T, c *steady.Client) {
				got := c.Do(t.Context(), tt.call)
				if n := len(s.requests()); n != tt.attempts || got.Outcome != tt.outcome {
					t.Errorf("got %d attempts, %s (%s), want %d, %s: %s", n, got.Outcome, got.Err, tt.attempts, tt.outcome, tt.why)
				}
			})
		})
	}
}
