package wire

import (
	"context"
	"io"
	"net"
	"sync"
	"time"
)

// Conn is one accepted connection, as the http.Server has it. All its methods may be called concurrently.
//
// However it ends, the first end counts: Close and Shut send FIN, Reset sends RST.
type Conn struct {
	line  *line
	near  near
	watch sync.Once
}

// near is where the server reads and writes: the client's own connection, or the near end of a chain of toxics.
type near interface {
	io.ReadWriter
	SetDeadline(time.Time) error
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
	shut()
	reset()
}

var _ net.Conn = (*Conn)(nil)

// Number is the connection's place in the order of acceptance, from 1.
func (c *Conn) Number() int { return c.line.number }

// Origin tells which of the addresses that are listened on it came to; 0 is the first.
func (c *Conn) Origin() int { return c.line.home.origin }

// Begin says that a request's head has been read, and counts it.
func (c *Conn) Begin() *Request {
	c.line.mu.Lock()
	defer c.line.mu.Unlock()
	r := c.line.stamps.begin(c.line)
	c.line.home.records.change(c.line.number, func(record *Connection) { record.Requests = r.use })
	return r
}

// Reset ends the client's connection with RST, at once: bytes that toxics hold up are dropped.
func (c *Conn) Reset() { c.near.reset() }

// Shut ends the connection with FIN, after the bytes written so far. It returns at once; what the client still sends is read and
// dropped for at most [LingerFor], because unread bytes would turn the FIN into RST.
func (c *Conn) Shut() { c.near.shut() }

// Close is Shut: an http.Server closes connections whose request it has not read, and the client has to get its reply all the same.
func (c *Conn) Close() error { c.Shut(); return nil }

// Gone is closed when the client is seen to have closed or reset the connection, at the latest when the connection is over. It is seen
// by reading: an http.Server reads when a handler asks for the body and, once the body is whole, in the background. A handler that does
// neither, or has hijacked the connection, needs Watch. Toxics do not delay it.
func (c *Conn) Gone() <-chan struct{} { return c.line.gone }

// Watch reads and drops whatever comes, to notice the client going where nobody else reads: after a Hijack. It keeps no more than one
// buffer and ends with the connection.
func (c *Conn) Watch() {
	c.watch.Do(func() {
		c.line.home.spawn(func() { io.Copy(io.Discard, struct{ io.Reader }{c.near}) })
	})
}

func (c *Conn) Read(p []byte) (int, error) { return c.near.Read(p) }

func (c *Conn) Write(p []byte) (int, error) {
	c.line.mu.Lock()
	c.line.stamps.handed += int64(len(p))
	c.line.mu.Unlock()
	return c.near.Write(p)
}

func (c *Conn) LocalAddr() net.Addr                { return c.line.raw.LocalAddr() }
func (c *Conn) RemoteAddr() net.Addr               { return c.line.raw.RemoteAddr() }
func (c *Conn) SetDeadline(t time.Time) error      { return c.near.SetDeadline(t) }
func (c *Conn) SetReadDeadline(t time.Time) error  { return c.near.SetReadDeadline(t) }
func (c *Conn) SetWriteDeadline(t time.Time) error { return c.near.SetWriteDeadline(t) }

type connKey struct{}

// ConnContext is for http.Server.ConnContext: handlers find the connection by [Of].
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// Of gives the connection that a request came on; nil if it did not come through a [Listener].
func Of(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}
