package steady_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// service is a scripted service in memory: a step per request, whatever connection it comes on; the last step goes on for ever.
type service struct {
	refuse int // so many dials are refused first
	script []step

	mu    sync.Mutex
	dials int
	seen  []seen
}

// seen is one request as the service received it.
type seen struct {
	at         time.Time
	connection int // from 1
	method     string
	url        string // host and target
	header     http.Header
	length     int64
	body       string
}

// step answers a request on a connection and tells whether the connection stays open.
type step func(c net.Conn) bool

// dial connects to the service.
func (s *service) dial(context.Context, string, string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dials++
	if s.dials <= s.refuse {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	client, own := net.Pipe()
	go s.serve(own, s.dials)
	return client, nil
}

func (s *service) serve(c net.Conn, number int) {
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		at := time.Now()
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		s.mu.Lock()
		answer := s.script[min(len(s.seen), len(s.script)-1)]
		s.seen = append(s.seen, seen{at, number, req.Method, req.Host + req.RequestURI, req.Header, req.ContentLength, string(body)})
		s.mu.Unlock()
		if !answer(c) {
			return
		}
	}
}

// requests are those received so far.
func (s *service) requests() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]seen(nil), s.seen...)
}

// say answers with a whole reply; body "" declares no content.
func say(status int, body string, fields ...string) step {
	return func(c net.Conn) bool {
		var b strings.Builder
		fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\n", status, http.StatusText(status), len(body))
		for _, f := range fields {
			fmt.Fprintf(&b, "%s\r\n", f)
		}
		fmt.Fprintf(&b, "\r\n%s", body)
		_, err := io.WriteString(c, b.String())
		return err == nil
	}
}

// after does the step only after d, or not at all if the client goes first.
func after(d time.Duration, then step) step {
	return func(c net.Conn) bool {
		c.SetReadDeadline(time.Now().Add(d))
		if _, err := c.Read(make([]byte, 1)); err == io.EOF {
			return false
		}
		c.SetReadDeadline(time.Time{})
		return then(c)
	}
}

// raw writes bytes as they are and hangs up.
func raw(text string) step {
	return func(c net.Conn) bool {
		io.WriteString(c, text)
		return false
	}
}

// hold never answers; it ends when the client goes.
func hold(c net.Conn) bool {
	io.Copy(io.Discard, c)
	return false
}

// drip writes a head and then n bytes of the body, one every so often, for as long as the client stays.
func drip(head string, n int, every time.Duration) step {
	return func(c net.Conn) bool {
		_, err := io.WriteString(c, head)
		for i := 0; i < n && err == nil; i++ {
			time.Sleep(every) // virtual time
			_, err = c.Write([]byte("x"))
		}
		return false
	}
}

// hangUp closes the connection without a byte of reply.
func hangUp(net.Conn) bool { return false }

// call is a keyed POST with a deadline of a minute, changed by each of with.
func call(with ...func(*drive.Call)) drive.Call {
	c := drive.Call{
		Operation: "op-5f0c2a9d", Method: http.MethodPost, URL: "http://shop.test/v1/payments",
		Body: []byte(`{"amount":1200}`), Type: "application/json", KeyHeader: "Idempotency-Key", Deadline: time.Minute,
	}
	for _, change := range with {
		change(&c)
	}
	return c
}

// get makes the call a plain read.
func get(c *drive.Call) { c.Method, c.Body, c.Type = http.MethodGet, nil, "" }

// unkeyed makes the endpoint one that knows no keys.
func unkeyed(c *drive.Call) { c.KeyHeader = "" }

// using makes the call one of another method.
func using(method string) func(*drive.Call) { return func(c *drive.Call) { c.Method = method } }

// within sets the deadline.
func within(d time.Duration) func(*drive.Call) { return func(c *drive.Call) { c.Deadline = d } }

// seeded is the default policy with a fixed seed, changed by each of with.
func seeded(with ...func(*steady.Policy)) steady.Policy {
	p := steady.Default()
	p.Seed = 7
	for _, change := range with {
		change(&p)
	}
	return p
}

// virtually runs a test in virtual time with a client of the service; nothing may be left running after it.
func virtually(t *testing.T, s *service, p steady.Policy, test func(*testing.T, *steady.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := steady.New(s.dial, p)
		test(t, c)
		c.CloseIdleConnections()
		time.Sleep(time.Second) // virtual: time for the service to notice
	})
}
