package steady_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

const truncated = "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"id\":"

func TestAttemptsAndOutcomes(t *testing.T) {
	given := func(c *drive.Call) { c.Key, c.KeyGiven = "k-1", true }
	tests := []struct {
		name     string
		call     drive.Call
		script   []step
		attempts int
		outcome  drive.Outcome
		status   int
		why      string
	}{
		{"plain success", call(), []step{say(201, "{}")}, 1, drive.OK, 201, "a success is never repeated"},
		{"success with connection close", call(), []step{say(201, "{}", "Connection: close")}, 1, drive.OK, 201, "a success is never repeated"},
		{"no content", call(using("DELETE")), []step{say(204, "")}, 1, drive.OK, 204, "a 2xx without a body is whole"},

		{"503 then success", call(), []step{say(503, ""), say(503, ""), say(201, "{}")}, 3, drive.OK, 201, "keyed"},
		{"429 then success", call(get), []step{say(429, ""), say(200, "{}")}, 2, drive.OK, 200, "safe"},
		{"503 for ever", call(), []step{say(503, "")}, 4, drive.Failed, 503, "the bound is four attempts, and a 503 was not processed"},
		{"502 on a keyed POST", call(), []step{say(502, ""), say(201, "{}")}, 2, drive.OK, 201, "its key makes it safe"},
		{"502 for ever", call(), []step{say(502, "")}, 4, drive.Unknown, 502, "the service may have applied it"},
		{"504 on a PUT", call(using("PUT"), unkeyed), []step{say(504, ""), say(200, "{}")}, 2, drive.OK, 200, "idempotent by its method"},
		{"425", call(get), []step{say(425, ""), say(200, "{}")}, 2, drive.OK, 200, "too early is for another time"},

		{"503 on an unkeyed POST", call(unkeyed), []step{say(503, "")}, 1, drive.Failed, 503, "not repeatable, and a 503 was not processed"},
		{"429 on an unkeyed POST", call(unkeyed), []step{say(429, "")}, 1, drive.Failed, 429, "not repeatable"},
		{"502 on an unkeyed POST", call(unkeyed), []step{say(502, "")}, 1, drive.Unknown, 502, "the service may have applied it"},
		{"500 on an unkeyed POST", call(unkeyed), []step{say(500, "")}, 1, drive.Unknown, 500, "the effect may come before the error"},
		{"500 on a keyed POST", call(), []step{say(500, "")}, 1, drive.Unknown, 500, "a saved 500 does not change"},
		{"500 on a GET", call(get), []step{say(500, "")}, 1, drive.Failed, 500, "a safe method applies nothing"},
		{"501", call(), []step{say(501, "")}, 1, drive.Failed, 501, "no attempt can do better"},
		{"505", call(get), []step{say(505, "")}, 1, drive.Failed, 505, "no attempt can do better"},

		{"404", call(get), []step{say(404, "{}")}, 1, drive.Failed, 404, "for the caller"},
		{"422 with a hint", call(), []step{say(422, "{}", "Retry-After: 0")}, 1, drive.Failed, 422, "a hint does not make it retryable"},
		{"409 with a fresh key", call(), []step{say(409, "{}")}, 1, drive.Failed, 409, "nobody else has the key: it is another conflict"},
		{"409 with a given key", call(given), []step{say(409, ""), say(201, "{}")}, 2, drive.OK, 201, "the key may be in progress elsewhere"},
		{"409 with a given key for ever", call(given), []step{say(409, "")}, 4, drive.Unknown, 409, "still in progress"},
		{"409 after a lost reply", call(), []step{hangUp, say(409, ""), say(201, "{}")}, 3, drive.OK, 201, "the first attempt is still running"},
		{"409 without a key", call(unkeyed), []step{say(409, "")}, 1, drive.Failed, 409, "no key to be in progress"},

		{"lost reply, keyed", call(), []step{hangUp, say(201, "{}", "Idempotent-Replayed: true")}, 2, drive.OK, 201, "same key"},
		{"lost reply, unkeyed POST", call(unkeyed), []step{hangUp}, 1, drive.Unknown, 0, "may have been applied"},
		{"lost reply, PATCH", call(unkeyed, using("PATCH")), []step{hangUp}, 1, drive.Unknown, 0, "not idempotent"},
		{"lost reply, DELETE, then 404", call(using("DELETE")), []step{hangUp, say(404, "")}, 2, drive.Unknown, 404, "the 404 may be the echo of one's own success"},
		{"lost reply, then 403", call(), []step{hangUp, say(403, "")}, 2, drive.Unknown, 403, "denied now says nothing of then"},
		{"lost reply, then 503 for ever", call(), []step{hangUp, say(503, "")}, 4, drive.Unknown, 503, "a refusal now says nothing of then"},
		{"lost replies, GET", call(get), []step{hangUp}, 4, drive.Failed, 0, "a safe method is never unknown"},

		{"truncated, keyed", call(), []step{raw(truncated), say(201, "{}")}, 2, drive.OK, 201, "nothing was given to the caller yet"},
		{"truncated for ever", call(), []step{raw(truncated)}, 4, drive.Unknown, 201, "applied for sure, but the answer is not whole"},
		{"truncated, unkeyed POST", call(unkeyed), []step{raw(truncated)}, 1, drive.Unknown, 201, "not repeatable"},
		{"chunked without an end", call(unkeyed), []step{raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")}, 1, drive.Unknown, 200, "not whole"},
		{"chunked with half an end", call(unkeyed), []step{raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")}, 1, drive.Unknown, 200, "not whole"},
		{"truncated 404", call(), []step{raw("HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\n{")}, 1, drive.Failed, 404, "the status says it all"},
		{"garbage", call(unkeyed), []step{raw("\x16\x03\x01 not http\r\n\r\n")}, 1, drive.Unknown, 0, "no trustworthy answer"},

		{"503 that forbids a retry", call(), []step{say(503, "", "X-Should-Retry: false")}, 1, drive.Failed, 503, "the service knows best"},
		{"503 that asks for a retry", call(unkeyed), []step{say(503, "", "X-Should-Retry: true")}, 1, drive.Failed, 503, "which makes nothing repeatable"},
		{"503 that asks for retries for ever", call(), []step{say(503, "", "X-Should-Retry: true")}, 4, drive.Failed, 503, "nor lifts the limit"},

		{"307", call(), []step{say(307, "", "Location: /elsewhere"), say(201, "{}")}, 2, drive.OK, 201, "not applied here, so it may be there"},
		{"308 on an unkeyed POST", call(unkeyed), []step{say(308, "", "Location: /elsewhere"), say(201, "{}")}, 2, drive.OK, 201, "a redirect is no repeat"},
		{"307 for ever", call(), []step{say(307, "", "Location: /elsewhere")}, 11, drive.Failed, 307, "ten hops, and no retry of them"},
		{"307 to nowhere", call(), []step{say(307, "")}, 1, drive.Failed, 307, "nothing to follow"},
		{"307 to a mailbox", call(), []step{say(307, "", "Location: mailto:a@shop.test")}, 1, drive.Failed, 307, "nothing to follow"},
		{"lost reply behind a 307", call(), []step{say(307, "", "Location: /elsewhere"), hangUp, say(307, "", "Location: /elsewhere"), say(201, "{}")}, 4, drive.OK, 201, "the next attempt begins at the beginning"},
		{"303", call(), []step{say(303, "", "Location: /elsewhere")}, 1, drive.Unknown, 303, "it may point to what was made"},
		{"302 on a GET", call(get), []step{say(302, "", "Location: /elsewhere")}, 1, drive.Failed, 302, "not followed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: tt.script}
			virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
				got := c.Do(t.Context(), tt.call)
				if n := len(s.requests()); n != tt.attempts {
					t.Errorf("got %d attempts, want %d: %s", n, tt.attempts, tt.why)
				}
				if got.Outcome != tt.outcome || got.Status != tt.status {
					t.Errorf("got %s %d (%s), want %s %d: %s", got.Outcome, got.Status, got.Err, tt.outcome, tt.status, tt.why)
				}
				if (got.Outcome == drive.OK) != (got.Err == "") {
					t.Errorf("got outcome %s with error %q", got.Outcome, got.Err)
				}
			})
		})
	}
}

func TestUnsentIsRetriedWhateverTheMethod(t *testing.T) {
	tests := []struct {
		name     string
		refuse   int
		attempts int
		outcome  drive.Outcome
	}{
		{"refused once", 1, 1, drive.OK},
		{"refused for ever", 1000, 0, drive.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{refuse: tt.refuse, script: []step{say(201, "{}")}}
			virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
				got := c.Do(t.Context(), call(unkeyed))
				if n := len(s.requests()); n != tt.attempts || got.Outcome != tt.outcome {
					t.Errorf("got %d attempts, outcome %s (%s), want %d, %s", n, got.Outcome, got.Err, tt.attempts, tt.outcome)
				}
				if want := min(tt.refuse+1, 4); s.dials != want {
					t.Errorf("got %d dials, want %d", s.dials, want)
				}
			})
		})
	}
}

func TestWhatTheCallerIsGiven(t *testing.T) {
	tests := []struct {
		name string
		step step
		body string
		why  string
	}{
		{"success", say(200, "hello"), "hello", "the whole body"},
		{"problem", say(422, "amount is negative"), "amount is negative", "the caller has to know why"},
		{"truncated", raw(truncated), "", "a part of a success is not handed on"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			virtually(t, &service{script: []step{tt.step}}, seeded(), func(t *testing.T, c *steady.Client) {
				if got := c.Do(t.Context(), call(unkeyed)); string(got.Body) != tt.body {
					t.Errorf("got body %q, want %q: %s", got.Body, tt.body, tt.why)
				}
			})
		})
	}
}

func TestPolicyOfOneCall(t *testing.T) {
	s := &service{script: []step{say(503, "")}}
	virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
		asked := call(get)
		asked.Policy = &drive.Policy{MaxAttempts: 2}
		c.Do(t.Context(), asked)
		if n := len(s.requests()); n != 2 {
			t.Errorf("got %d attempts, want the 2 that were asked for", n)
		}
	})
}

func TestNonsenseIsNotSent(t *testing.T) {
	s := &service{script: []step{say(200, "")}}
	virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
		nonsense := call(get)
		nonsense.URL = "http://shop.test:port/"
		if got := c.Do(t.Context(), nonsense); got.Outcome != drive.Failed || s.dials != 0 {
			t.Errorf("got %s after %d dials, want failed after none", got.Outcome, s.dials)
		}
	})
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	s := &service{script: []step{say(503, string(make([]byte, 1024)))}}
	virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
		for range 5 {
			c.Do(t.Context(), call(get))
		}
		if s.dials != 1 {
			t.Errorf("got %d connections for 20 attempts one after the other, want 1: replies are read before the next", s.dials)
		}
	})
}

func TestCancel(t *testing.T) {
	tests := []struct {
		name    string
		script  []step
		outcome drive.Outcome
		why     string
	}{
		{"during a wait", []step{say(429, "", "Retry-After: 30")}, drive.Failed, "nothing was sent since the refusal"},
		{"in flight", []step{hold}, drive.Unknown, "it may have been applied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: tt.script}
			p := seeded(func(p *steady.Policy) { p.Bound = time.Hour })
			virtually(t, s, p, func(t *testing.T, c *steady.Client) {
				began := time.Now()
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(200*time.Millisecond, cancel)
				got := c.Do(ctx, call())
				if took := time.Since(began); took != 200*time.Millisecond {
					t.Errorf("came back after %v, want 200ms", took)
				}
				time.Sleep(time.Minute)
				if n := len(s.requests()); n != 1 || got.Outcome != tt.outcome {
					t.Errorf("got %d attempts and %s, want 1 and %s: %s", n, got.Outcome, tt.outcome, tt.why)
				}
			})
		})
	}
}

func TestHelloClaimsTheDefaultPolicy(t *testing.T) {
	got, p := steady.Hello(), steady.Default()
	if got.Claims.MaxAttempts != p.MaxAttempts || got.Claims.Base() != p.Base || got.Claims.Cap() != p.Cap || got.Claims.Bound() != p.Bound {
		t.Errorf("got claims %+v, want those of %+v", got.Claims, p)
	}
	if got.Claims.KeyHeader != http.CanonicalHeaderKey(got.Claims.KeyHeader) {
		t.Errorf("got key header %q, want its usual spelling", got.Claims.KeyHeader)
	}
}
