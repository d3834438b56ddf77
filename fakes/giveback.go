package fakes

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"slices"

	"github.com/brownout-dev/brownout/faults/wire"
)

// giveBack hands a connection that was taken back to net/http, which reads the next request on it. What is still missing of this one's body
// is waited for first: it is a body's end, and nothing else, that shows where the next request begins. Whoever leaves the body out and
// sends another request instead is not understood.
func (x *exchange) giveBack() {
	if !x.bodyRead && x.body.err == nil {
		x.withhold()
		x.takeBody()
	}
	if !x.bodyRead {
		x.Close()
		return
	}
	x.wire.Over()
	again := &single{conn: x.conn}
	if x.unread.Buffered() == 0 {
		x.fake.server.Serve(again) // returns at once, with the error that single ends in
	}
	if !again.accepted {
		x.Close() // a request that came too early cannot be given back; after the play, nothing can
	}
}

// single is a listener for a connection that was accepted long ago.
type single struct {
	conn     *wire.Conn
	accepted bool
}

var _ net.Listener = (*single)(nil)

func (s *single) Accept() (net.Conn, error) {
	if s.accepted {
		return nil, io.EOF
	}
	s.accepted = true
	return s.conn, nil
}

func (s *single) Close() error   { return nil }
func (s *single) Addr() net.Addr { return s.conn.LocalAddr() }

// Withhold takes the connection, because net/http sends 100 (Continue) as soon as a body is read that a client holds back for it.
func (x *exchange) Withhold() {
	x.take()
	x.withhold()
}

// withhold reads the body from a connection that was taken, past net/http.
func (x *exchange) withhold() {
	switch {
	case x.r.Body == http.NoBody:
	case slices.Equal(x.r.TransferEncoding, []string{"chunked"}):
		x.r.Body = io.NopCloser(&chunks{Reader: httputil.NewChunkedReader(x.unread), behind: x.unread})
	default:
		x.r.Body = io.NopCloser(&counted{from: x.unread, missing: x.r.ContentLength})
	}
}

// counted is a body of a length that was declared.
type counted struct {
	from    io.Reader
	missing int64
}

func (c *counted) Read(p []byte) (int, error) {
	if c.missing == 0 {
		return 0, io.EOF
	}
	n, err := c.from.Read(p[:min(int64(len(p)), c.missing)])
	if c.missing -= int64(n); errors.Is(err, io.EOF) && c.missing > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// chunks is a chunked body, and what is behind its last chunk: trailer fields, which are dropped, and an empty line.
type chunks struct {
	io.Reader
	behind *bufio.Reader
}

func (c *chunks) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err != io.EOF {
		return n, err
	}
	if _, trailer := textproto.NewReader(c.behind).ReadMIMEHeader(); trailer != nil {
		return n, io.ErrUnexpectedEOF
	}
	return n, io.EOF
}
