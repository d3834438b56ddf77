package wire

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
)

// site is a real http.Server on a listener, which keeps what its connections said of each request.
type site struct {
	*Listener
	clock clock.Clock

	mu       sync.Mutex
	requests []*Request
}

// serve runs handle for each request, which it has begun on its connection.
func serve(t *testing.T, n Network, handle func(w http.ResponseWriter, r *http.Request, x *Request), plan ...string) *site {
	t.Helper()
	s := &site{clock: clock.Start()}
	var err error
	if s.Listener, err = Listen(n, "127.0.0.1:0", Options{Clock: s.clock, Plan: onConnections(t, plan...)}); err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ConnContext: ConnContext, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := Of(r.Context()).Begin()
		s.mu.Lock()
		s.requests = append(s.requests, x)
		s.mu.Unlock()
		handle(w, r, x)
	})}
	ended := make(chan error)
	go func() { ended <- server.Serve(s.Listener) }()
	t.Cleanup(func() {
		server.Close()
		mustClose(t, s.Listener)
		if err := <-ended; err != http.ErrServerClosed {
			t.Errorf("the server ended with %v", err)
		}
	})
	return s
}

func (s *site) request(i int) *Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[i]
}

// echo replies with what it got.
func echo(w http.ResponseWriter, r *http.Request, x *Request) {
	b, _ := io.ReadAll(r.Body)
	x.Replying()
	w.Write(b)
}

func client(t *testing.T, n Network) *http.Client {
	transport := &http.Transport{DialContext: n.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: patience}
}

func post(t *testing.T, c *http.Client, url, body string) string {
	t.Helper()
	r, err := c.Post(url, "text/plain", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A kept connection counts its uses, and each of its requests has its own times, in order.
func TestKeptConnection(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				var plan []string
				if way.fault != "" {
					plan = []string{way.fault}
				}
				s, c := serve(t, n, echo, plan...), client(t, n)
				const uses = 5
				before := clock.Moment(0)
				for use := 1; use <= uses; use++ {
					if got := post(t, c, s.URL(), strings.Repeat("body", 10_000)); len(got) != 40_000 {
						t.Fatalf("got %d bytes back, want 40000", len(got))
					}
					after := s.clock.Now()
					x := s.request(use - 1)
					if x.Use() != use {
						t.Errorf("use %d, want %d", x.Use(), use)
					}
					got := x.Times()
					for _, m := range []clock.Moment{got.FirstByte, got.ReplyFirst, got.ReplyLast, after} {
						if m < before {
							t.Errorf("use %d: times %+v, before %v and after %v: want them in order", use, got, before, after)
						}
						before = m
					}
					if got.Gone.Happened() {
						t.Errorf("use %d: gone at %v, while the client waits for its reply", use, got.Gone)
					}
				}
				if got := s.Connections(); len(got) != 1 || got[0].Requests != uses {
					t.Errorf("connections %+v, want one with %d requests", got, uses)
				}
			})
		})
	}
}

func TestOfARequestFromElsewhere(t *testing.T) {
	if got := Of(context.Background()); got != nil {
		t.Errorf("got %v, want nil", got)
	}
	_, b := net.Pipe()
	if got := Of(ConnContext(context.Background(), b)); got != nil {
		t.Errorf("of another kind of connection got %v, want nil", got)
	}
}

// A handler that hijacks can end the connection as it likes, and still notices the client going.
func TestHijack(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		s := serve(t, n, func(w http.ResponseWriter, r *http.Request, x *Request) {
			c := Of(r.Context())
			raw, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			if raw != net.Conn(c) {
				t.Errorf("hijacked %T, want the listener's own connection", raw)
			}
			c.Watch()
			x.Replying()
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
			<-c.Gone()
			c.Shut()
		})
		c := dial(t, n, s.Addr())
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		io.ReadFull(r.Body, make([]byte, 4))
		c.Close()
		for !s.request(0).Times().Gone.Happened() { // bounded by the test's own time
			pause(time.Millisecond)
		}
	})
}
