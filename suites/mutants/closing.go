package mutants

import (
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// linger is how long a client that mistrusts closes looks at its connection after a whole reply.
const linger = time.Millisecond

// mistrustCloses takes a reply for cut short when its connection ends right after it.
func mistrustCloses() change {
	return all(
		dialling(func(c net.Conn) net.Conn { return &watched{Conn: c} }),
		sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			var conn atomic.Pointer[watched]
			trace := &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { conn.Store(got.Conn.(*watched)) }}
			reply, err := next.RoundTrip(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
			if err == nil {
				reply.Body = &mistrusted{reply.Body, conn.Load()}
			}
			return reply, err
		}))
}

// watched is a connection that knows whether the other side has ended it.
type watched struct {
	net.Conn
	ended atomic.Bool
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if err != nil {
		w.ended.Store(true)
	}
	return n, err
}

// mistrusted is the body of a reply that is whole only if its connection outlives it.
type mistrusted struct {
	io.ReadCloser
	conn *watched
}

func (m *mistrusted) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	if err == io.EOF {
		time.Sleep(linger)
		if m.conn.ended.Load() {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}
