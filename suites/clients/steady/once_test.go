package steady_test

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// A warm connection that dies under a request tempts net/http's transport to send it again by itself.
func TestNoHiddenRepeat(t *testing.T) {
	given := func(c *drive.Call) { c.Key, c.KeyGiven = "k-1", true }
	empty := func(c *drive.Call) { c.Body = nil }
	otherKey := func(c *drive.Call) { c.KeyHeader = "X-Idempotency-Key" }
	tests := []struct {
		name string
		call drive.Call
	}{
		{"GET", call(get)},
		{"HEAD", call(get, using("HEAD"))},
		{"OPTIONS", call(get, using("OPTIONS"))},
		{"GET with a key", call(get, given)},
		{"keyed POST", call()},
		{"keyed POST without content", call(empty)},
		{"the transport's other key header", call(otherKey)},
		{"unkeyed POST", call(unkeyed)},
		{"unkeyed POST without content", call(unkeyed, empty)},
		{"PUT", call(using("PUT"))},
		{"DELETE with a key", call(using("DELETE"), given)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: []step{say(200, ""), hangUp}}
			p := seeded(func(p *steady.Policy) { p.MaxAttempts = 1 })
			virtually(t, s, p, func(t *testing.T, c *steady.Client) {
				c.Do(t.Context(), call(get, func(c *drive.Call) { c.Operation = "op-warmwarm" }))
				c.Do(t.Context(), tt.call)
				seen := s.requests()
				if len(seen) != 2 || seen[1].connection != 1 {
					t.Fatalf("got %d requests, the last on connection %d, want 2, both on one connection", len(seen), seen[len(seen)-1].connection)
				}
				if want := int64(len(tt.call.Body)); seen[1].length != want {
					t.Errorf("got a declared length of %d, want %d", seen[1].length, want)
				}
			})
		})
	}
}

// The test above can fail: the bare transport does what it is tempted to.
func TestBareTransportRepeats(t *testing.T) {
	s := &service{script: []step{say(200, ""), hangUp, say(200, "")}}
	p := seeded(func(p *steady.Policy) { p.MaxAttempts = 1; p.Transport = bare })
	virtually(t, s, p, func(t *testing.T, c *steady.Client) {
		c.Do(t.Context(), call(get))
		c.Do(t.Context(), call(get))
		if n := len(s.requests()); n != 3 {
			t.Errorf("got %d requests for two operations of one attempt, want 3: net/http no longer repeats, and once.go is not needed", n)
		}
	})
}

// bare undoes once.
func bare(next http.RoundTripper) http.RoundTripper {
	return tripper(func(req *http.Request) (*http.Response, error) {
		req = req.Clone(req.Context())
		req.Body = nil
		return next.RoundTrip(req)
	})
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A reset reaches net/http as another error than a close; only a real socket can give one.
func TestNoHiddenRepeatAfterReset(t *testing.T) {
	tests := []struct {
		name     string
		call     drive.Call
		wrap     func(http.RoundTripper) http.RoundTripper
		requests int
	}{
		{"GET", call(get), nil, 2},
		{"keyed POST", call(), nil, 2},
		{"GET, bare transport", call(get), bare, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{script: []step{say(200, ""), reset, say(200, "")}}
			c := steady.New(s.listen(t), seeded(func(p *steady.Policy) { p.MaxAttempts = 1; p.Transport = tt.wrap }))
			defer c.CloseIdleConnections()
			c.Do(t.Context(), call(get))
			c.Do(t.Context(), tt.call)
			if n := len(s.requests()); n != tt.requests {
				t.Errorf("got %d requests, want %d", n, tt.requests)
			}
		})
	}
}

// listen serves on loopback TCP until the test ends, and gives what dials it.
func (s *service) listen(t *testing.T) drive.Dial {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for n := 1; ; n++ {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(c, n)
		}
	}()
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, l.Addr().String())
	}
}

// reset ends the connection with RST.
func reset(c net.Conn) bool {
	c.(*net.TCPConn).SetLinger(0)
	return false
}
