package wire

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// MemoryBuffer is how many bytes a memory connection holds in each direction before its writer has to wait.
const MemoryBuffer = 64 << 10

// memoryConn is one end of a connection in memory. Both ends share one lock.
type memoryConn struct {
	pair          *memoryPair
	in, out       *flow
	local, remote net.Addr

	// What follows is guarded by the pair's lock.
	closed           bool // by its own side
	told             bool // of the RST that came
	reading, writing deadline
}

var _ transport = (*memoryConn)(nil)

// memoryPair is what both ends share.
type memoryPair struct {
	mu      sync.Mutex
	changed *sync.Cond
}

func newMemoryPair(client, server net.Addr) (*memoryConn, *memoryConn) {
	pair := &memoryPair{}
	pair.changed = sync.NewCond(&pair.mu)
	up, down := &flow{}, &flow{}
	c := &memoryConn{pair: pair, in: down, out: up, local: client, remote: server}
	s := &memoryConn{pair: pair, in: up, out: down, local: server, remote: client}
	return c, s
}

func (c *memoryConn) Read(p []byte) (int, error) {
	c.pair.mu.Lock()
	defer c.pair.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, c.fail("read", net.ErrClosed)
		case c.reading.passed:
			return 0, c.fail("read", os.ErrDeadlineExceeded)
		case len(p) == 0:
			return 0, nil
		case c.in.waiting() > 0:
			n := c.in.take(p)
			c.pair.changed.Broadcast()
			return n, nil
		case c.in.fin:
			return 0, io.EOF
		case c.in.reset:
			c.told = true
			return 0, c.fail("read", os.NewSyscallError("read", syscall.ECONNRESET))
		}
		c.pair.changed.Wait()
	}
}

func (c *memoryConn) Write(p []byte) (n int, err error) {
	c.pair.mu.Lock()
	defer c.pair.mu.Unlock()
	for {
		switch {
		case c.closed:
			return n, c.fail("write", net.ErrClosed)
		case c.writing.passed:
			return n, c.fail("write", os.ErrDeadlineExceeded)
		case c.in.reset && !c.told && !c.in.fin:
			c.told = true
			return n, c.fail("write", os.NewSyscallError("write", syscall.ECONNRESET))
		case c.in.reset || c.out.fin:
			return n, c.fail("write", os.NewSyscallError("write", syscall.EPIPE))
		case len(p) == 0:
			return n, nil
		case c.out.deaf:
			c.in.reset = true // the peer's answer, which the next call meets
			c.pair.changed.Broadcast()
			return n + len(p), nil
		case c.out.waiting() < MemoryBuffer:
			m := c.out.put(p)
			n, p = n+m, p[m:]
			c.pair.changed.Broadcast()
			continue
		}
		c.pair.changed.Wait()
	}
}

// CloseWrite sends FIN: the peer reads EOF after the bytes written so far.
func (c *memoryConn) CloseWrite() error {
	c.pair.mu.Lock()
	defer c.pair.mu.Unlock()
	if c.closed {
		return c.fail("close", net.ErrClosed)
	}
	c.out.fin = true
	c.pair.changed.Broadcast()
	return nil
}

// Close sends FIN, or RST if bytes that came were not read (RFC 1122, 4.2.2.13).
func (c *memoryConn) Close() error { return c.end(false) }

// Reset sends RST. Bytes that the peer has in its buffer it can still read, as on Linux.
func (c *memoryConn) Reset() error { return c.end(true) }

// finish ends both directions, each after the bytes that are in it already.
func (c *memoryConn) finish() {
	c.pair.mu.Lock()
	defer c.pair.mu.Unlock()
	c.in.fin, c.out.fin = true, true
	c.pair.changed.Broadcast()
}

func (c *memoryConn) end(reset bool) error {
	c.pair.mu.Lock()
	defer c.pair.mu.Unlock()
	if c.closed {
		return c.fail("close", net.ErrClosed)
	}
	if reset || c.in.waiting() > 0 {
		c.out.reset = true
	} else {
		c.out.fin = true
	}
	c.closed, c.in.deaf = true, true
	c.in.drop()
	c.reading.stop()
	c.writing.stop()
	c.pair.changed.Broadcast()
	return nil
}

func (c *memoryConn) fail(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}

func (c *memoryConn) LocalAddr() net.Addr  { return c.local }
func (c *memoryConn) RemoteAddr() net.Addr { return c.remote }

func (c *memoryConn) SetDeadline(t time.Time) error      { return c.limit(t, &c.reading, &c.writing) }
func (c *memoryConn) SetReadDeadline(t time.Time) error  { return c.limit(t, &c.reading) }
func (c *memoryConn) SetWriteDeadline(t time.Time) error { return c.limit(t, &c.writing) }

func (c *memoryConn) limit(t time.Time, deadlines ...*deadline) error {
	c.pair.mu.Lock()
	defer c.pair.mu.Unlock()
	if c.closed {
		return c.fail("set", net.ErrClosed)
	}
	for _, d := range deadlines {
		d.set(t, c.pair)
	}
	c.pair.changed.Broadcast()
	return nil
}

// deadline ends waits once it has passed. The pair's lock guards it.
type deadline struct {
	timer  *time.Timer
	passed bool
}

func (d *deadline) set(t time.Time, pair *memoryPair) {
	d.stop()
	wait := time.Until(t)
	d.passed = !t.IsZero() && wait <= 0
	if t.IsZero() || d.passed {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(wait, func() {
		pair.mu.Lock()
		defer pair.mu.Unlock()
		if d.timer == timer {
			d.passed = true
			pair.changed.Broadcast()
		}
	})
	d.timer = timer
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}
