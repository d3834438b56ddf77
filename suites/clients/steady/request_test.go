package steady_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func TestEachAttemptIsTheSame(t *testing.T) {
	carry := func(body string) func(*drive.Call) { return func(c *drive.Call) { c.Body = []byte(body) } }
	signed := func(c *drive.Call) { c.Headers = map[string]string{"Authorization": "Bearer t1"} }
	tests := []struct {
		name   string
		call   drive.Call
		length int64
	}{
		{"small", call(signed), 15},
		{"empty", call(carry("")), 0},
		{"ten mebibytes", call(carry(strings.Repeat("x", 10<<20))), 10 << 20},
		{"PUT", call(using("PUT")), 15},
		{"PATCH", call(using("PATCH")), 15},
		{"read", call(get), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: []step{say(503, ""), hangUp, say(502, ""), say(200, "")}}
			virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
				c.Do(t.Context(), tt.call)
				seen := s.requests()
				if len(seen) != 4 {
					t.Fatalf("got %d attempts, want 4", len(seen))
				}
				for i, got := range seen {
					if got.method != tt.call.Method || got.length != tt.length || got.body != string(tt.call.Body) {
						t.Errorf("attempt %d: got %s of %d bytes, declared %d, want %s of %d", i+1, got.method, len(got.body), got.length, tt.call.Method, tt.length)
					}
					if !maps.EqualFunc(got.header, seen[0].header, func(a, b []string) bool { return strings.Join(a, "\n") == strings.Join(b, "\n") }) {
						t.Errorf("attempt %d: got header %v, want that of the first: %v", i+1, got.header, seen[0].header)
					}
				}
				if got, want := seen[0].header.Get("Content-Type"), tt.call.Type; got != want {
					t.Errorf("got content type %q, want %q", got, want)
				}
				if got, want := seen[0].header.Get("Authorization"), tt.call.Headers["Authorization"]; got != want {
					t.Errorf("got authorization %q, want %q", got, want)
				}
			})
		})
	}
}

func TestKeys(t *testing.T) {
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	const none, made, handed = "none", "made", "handed over"
	tests := []struct {
		name string
		call drive.Call
		want string
		why  string
	}{
		{"POST", call(), made, "what may be repeated carries a key from the first attempt on"},
		{"PATCH", call(using("PATCH")), made, "not idempotent by its method"},
		{"offered", call(func(c *drive.Call) { c.Key = "k-1" }), made, "an offer is not an order"},
		{"given", call(func(c *drive.Call) { c.Key, c.KeyGiven = "k-1", true }), handed, "used as it is"},
		{"PUT", call(using("PUT")), none, "idempotent by its method"},
		{"GET", call(get), none, "safe"},
		{"no key header", call(unkeyed), none, "a key makes nothing safe there"},
		{"given, no key header", call(unkeyed, func(c *drive.Call) { c.Key, c.KeyGiven = "k-1", true }), none, "no field to put it in"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: []step{say(200, "")}}
			virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
				c.Do(t.Context(), tt.call)
				key := s.requests()[0].header.Get("Idempotency-Key")
				got := map[bool]string{true: made, false: key}[uuid.MatchString(key)]
				if want := map[string]string{none: "", made: made, handed: "k-1"}[tt.want]; got != want {
					t.Errorf("got key %q, want it %s: %s", key, tt.want, tt.why)
				}
			})
		})
	}
}

func TestKeyHeaderOfTheEndpoint(t *testing.T) {
	s := &service{script: []step{say(200, "")}}
	virtually(t, s, seeded(), func(t *testing.T, c *steady.Client) {
		c.Do(t.Context(), call(func(c *drive.Call) { c.KeyHeader = "X-Request-Token" }))
		if h := s.requests()[0].header; h.Get("X-Request-Token") == "" || h.Get("Idempotency-Key") != "" {
			t.Errorf("got header %v, want the key in X-Request-Token alone", h)
		}
	})
}

func TestKeysOfOperations(t *testing.T) {
	keys := func(seed uint64) (both [2]string) {
		s := &service{script: []step{say(200, "")}}
		p := seeded(func(p *steady.Policy) { p.Seed = seed })
		virtually(t, s, p, func(t *testing.T, c *steady.Client) {
			for i, id := range []faults.OperationID{"op-aaaaaaaa", "op-bbbbbbbb"} {
				c.Do(t.Context(), call(func(c *drive.Call) { c.Operation = id }))
				both[i] = s.requests()[i].header.Get("Idempotency-Key")
			}
		})
		return both
	}
	first := keys(7)
	if first[0] == first[1] {
		t.Errorf("got key %s for two operations, want two keys", first[0])
	}
	if again := keys(7); again != first {
		t.Errorf("got keys %v and %v with one seed, want the same: plays repeat exactly", first, again)
	}
	if a, b := keys(0), keys(0); a[0] == b[0] {
		t.Errorf("got key %s from two clients without a seed, want it not to be predictable", a[0])
	}
}
