package mutants

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// manners are what a transport takes care of that speaks HTTP/1.1 by itself, as many small clients do.
type manners struct {
	looks    bool          // at an idle connection, before it uses it again
	forgets  bool          // a connection on which more came than it had asked for
	finishes bool          // closes the connection after a refusal that came before the body
	patience time.Duration // for a 100 (Continue), where the request expects one
}

// goodManners are those of a correct one.
func goodManners() manners {
	return manners{looks: true, forgets: true, finishes: true, patience: time.Second}
}

// ownWire puts such a transport in the place of net/http's.
func ownWire(m manners) change {
	return func(p steady.Policy) steady.Policy {
		p.Transport = func(next http.RoundTripper) http.RoundTripper {
			return &ownTransport{manners: m, dial: next.(*http.Transport).DialContext, idle: map[string][]*ownConn{}}
		}
		return p
	}
}

// ownTransport keeps connections, and has no goroutine that watches them.
type ownTransport struct {
	manners
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu   sync.Mutex
	idle map[string][]*ownConn // by address
}

type ownConn struct {
	net.Conn
	in *bufio.Reader
}

func (t *ownTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	c, reused, err := t.connect(req.Context(), req.URL.Host)
	if err != nil {
		return nil, err
	}
	if trace := httptrace.ContextClientTrace(req.Context()); trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{Conn: c, Reused: reused})
	}
	stop := context.AfterFunc(req.Context(), func() { c.SetDeadline(past()) })
	reply, owed, err := t.exchange(c, req)
	if err != nil {
		stop()
		c.Close()
		return nil, errors.Join(context.Cause(req.Context()), err)
	}
	reply.Body = &ownBody{ReadCloser: reply.Body, end: func(whole bool) {
		surplus := t.forgets && c.in.Buffered() > 0
		if !stop() || !whole || reply.Close || surplus || owed && t.finishes {
			c.Close()
			return
		}
		t.keep(req.URL.Host, c)
	}}
	return reply, nil
}

// connect gives an idle connection, or a new one.
func (t *ownTransport) connect(ctx context.Context, addr string) (c *ownConn, reused bool, err error) {
	for c := t.take(addr); c != nil; c = t.take(addr) {
		if !t.looks || c.silent() {
			return c, true, nil
		}
		c.Close()
	}
	conn, err := t.dial(ctx, "tcp", addr)
	if err != nil {
		return nil, false, err
	}
	return &ownConn{conn, bufio.NewReader(conn)}, false, nil
}

func (t *ownTransport) take(addr string) *ownConn {
	t.mu.Lock()
	defer t.mu.Unlock()
	idle := t.idle[addr]
	if len(idle) == 0 {
		return nil
	}
	t.idle[addr] = idle[:len(idle)-1]
	return idle[len(idle)-1]
}

func (t *ownTransport) keep(addr string, c *ownConn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle[addr] = append(t.idle[addr], c)
}

// glance is how long it looks.
const glance = time.Millisecond

// silent tells whether nothing has come on the connection, its end neither.
func (c *ownConn) silent() bool {
	c.SetReadDeadline(time.Now().Add(glance))
	defer c.SetReadDeadline(time.Time{})
	_, err := c.Conn.Read(make([]byte, 1))
	return errors.Is(err, os.ErrDeadlineExceeded)
}

// exchange sends the request and reads the head of its final reply. owed tells that the body was not sent.
func (t *ownTransport) exchange(c *ownConn, req *http.Request) (reply *http.Response, owed bool, err error) {
	body, err := bodyOf(req)
	if err != nil {
		return nil, false, err
	}
	expects := req.Header.Get("Expect") != "" && len(body) > 0
	if _, err := c.Write(headOf(req, len(body))); err != nil {
		return nil, false, err
	}
	if expects && t.answeredWithin(req.Context(), c) {
		if reply, err = http.ReadResponse(c.in, req); err != nil || reply.StatusCode != http.StatusContinue {
			return reply, true, err
		}
	}
	if _, err := c.Write(body); err != nil {
		return nil, false, err
	}
	for {
		if reply, err = http.ReadResponse(c.in, req); err != nil || reply.StatusCode >= 200 {
			return reply, false, err
		}
	}
}

// answeredWithin waits for a reply to a head alone, for as long as the transport's patience lasts.
func (t *ownTransport) answeredWithin(ctx context.Context, c *ownConn) bool {
	c.SetReadDeadline(time.Now().Add(t.patience))
	_, err := c.in.Peek(1)
	if c.SetReadDeadline(time.Time{}); ctx.Err() != nil {
		c.SetDeadline(past())
	}
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

func bodyOf(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	defer req.Body.Close()
	return io.ReadAll(req.Body)
}

func headOf(req *http.Request, length int) []byte {
	h := req.Header.Clone()
	if length > 0 || req.Method == http.MethodPost || req.Method == http.MethodPut || req.Method == http.MethodPatch {
		h.Set("Content-Length", strconv.Itoa(length))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", req.Method, req.URL.RequestURI(), req.URL.Host)
	h.Write(&b)
	b.WriteString("\r\n")
	return b.Bytes()
}

// past is a deadline that has passed, in virtual time as well.
func past() time.Time { return time.Unix(1, 0) }

// ownBody tells once how it ended: whole, or not.
type ownBody struct {
	io.ReadCloser
	end func(whole bool)
	one sync.Once
}

func (b *ownBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.one.Do(func() { b.end(err == io.EOF) })
	}
	return n, err
}

// Close ends what was not read to its end.
func (b *ownBody) Close() error {
	b.one.Do(func() { b.end(false) })
	return nil
}
