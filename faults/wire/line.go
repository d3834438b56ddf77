package wire

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
)

const (
	// LingerFor bounds how long a connection that the fake has shut goes on reading, waiting for the client to close as well. Long
	// enough for a body that is still under way over loopback, short enough not to keep sockets of clients that never close.
	LingerFor = 10 * time.Second

	// pieceSize cuts long writes, so that the stamp of the last byte is not that of a write which began long before it.
	pieceSize = 64 << 10
)

// transport is what a network's port must accept: TCP, or its like in memory.
type transport interface {
	net.Conn
	Resetter
	CloseWrite() error
}

// line is the client's own connection, below any toxics. It stamps bytes, notices the client going, and ends in the way it is told to:
// by [line.shut], [line.reset] or [line.cut], of which the first counts.
type line struct {
	raw    transport
	number int
	home   *Listener
	// turn is held by whoever reads: the server, and after it the one who drains.
	turn chan struct{}
	// gone closes when the client is seen to have gone, dead when no byte can pass any more in either direction.
	gone, dead chan struct{}

	mu     sync.Mutex
	over   bool // the fake has ended it
	isGone bool
	isDead bool
	goneAt clock.Moment // when the client went, if it went first
	stamps stamps
}

func newLine(raw transport, number int, home *Listener) *line {
	return &line{
		raw: raw, number: number, home: home,
		turn: make(chan struct{}, 1),
		gone: make(chan struct{}),
		dead: make(chan struct{}),
	}
}

func (l *line) Read(p []byte) (int, error) {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	if l.isOver() {
		return 0, net.ErrClosed
	}
	n, err := l.raw.Read(p)
	if n > 0 {
		l.mu.Lock()
		l.stamps.read(l.now())
		l.mu.Unlock()
	}
	return n, l.judge(err)
}

func (l *line) Write(p []byte) (n int, err error) {
	for err == nil && len(p) > 0 {
		piece := p[:min(len(p), pieceSize)]
		l.mu.Lock()
		over := l.over
		if !over {
			l.stamps.write(l.now(), len(piece))
		}
		l.mu.Unlock()
		if over {
			return n, net.ErrClosed
		}
		var m int
		m, err = l.raw.Write(piece)
		n, p = n+m, p[m:]
	}
	return n, l.judge(err)
}

// judge makes of an error what the caller is to see, and notices the client going.
func (l *line) judge(err error) error {
	switch {
	case err == nil:
		return nil
	case l.isOver():
		return net.ErrClosed
	case errors.Is(err, os.ErrDeadlineExceeded):
		return err
	}
	reset := errors.Is(err, syscall.ECONNRESET)
	l.clientGone(reset)
	if err != io.EOF {
		l.close()
	}
	return err
}

func (l *line) now() clock.Moment { return l.home.options.Clock.Now() }

func (l *line) isOver() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

// clientGone is for the end that the client makes.
func (l *line) clientGone(reset bool) {
	now := l.now()
	l.mu.Lock()
	if !l.over && !l.isGone {
		l.goneAt = now
	}
	l.closeGone()
	l.mu.Unlock()
	l.ended(now, Client, reset)
}

// end is for the end that the fake makes; false if it has made one already.
func (l *line) end(reset bool) bool {
	l.mu.Lock()
	first := !l.over
	l.over = true
	l.mu.Unlock()
	if first {
		l.ended(l.now(), Fake, reset)
	}
	return first
}

func (l *line) ended(at clock.Moment, by Side, reset bool) {
	l.home.records.change(l.number, func(c *Connection) {
		if !c.Closed.Happened() {
			c.Closed, c.ClosedBy, c.Reset = at, by, reset
		}
	})
}

// shut ends the connection with FIN. What the client still sends is read and dropped until it closes as well, for at most LingerFor:
// a socket that is closed with unread bytes in it answers with RST, which would take the reply's bytes from the client too.
func (l *line) shut() {
	if !l.end(false) {
		return
	}
	l.raw.SetDeadline(past()) // whoever reads or writes now is to leave
	l.raw.CloseWrite()
	if l.hasGone() || !l.home.spawn(l.drain) {
		l.close()
	}
}

func (l *line) drain() {
	l.turn <- struct{}{}
	defer func() { <-l.turn }()
	l.raw.SetReadDeadline(time.Now().Add(LingerFor))
	io.Copy(io.Discard, struct{ io.Reader }{l.raw})
	l.close()
}

// reset ends the connection with RST; bytes that were not sent yet are dropped.
func (l *line) reset() {
	l.end(true)
	l.raw.Reset()
	l.die()
}

// cut ends the connection at once, in the way of the network's own Close.
func (l *line) cut() {
	l.end(false)
	l.close()
}

func (l *line) close() {
	l.raw.Close()
	l.die()
}

func (l *line) hasGone() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isGone
}

func (l *line) hasDied() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isDead
}

// die is for when no byte can pass any more.
func (l *line) die() {
	l.mu.Lock()
	l.closeGone()
	if !l.isDead {
		l.isDead = true
		close(l.dead)
	}
	l.mu.Unlock()
	l.home.forget(l)
}

func (l *line) closeGone() {
	if !l.isGone {
		l.isGone = true
		close(l.gone)
	}
}

func (l *line) SetDeadline(t time.Time) error      { return l.limit(l.raw.SetDeadline, t) }
func (l *line) SetReadDeadline(t time.Time) error  { return l.limit(l.raw.SetReadDeadline, t) }
func (l *line) SetWriteDeadline(t time.Time) error { return l.limit(l.raw.SetWriteDeadline, t) }

// limit keeps a server's deadlines away from a connection that is being drained.
func (l *line) limit(set func(time.Time) error, t time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return net.ErrClosed
	}
	return set(t)
}

// past is a deadline that has passed, in virtual time as well.
func past() time.Time { return time.Unix(1, 0) }
