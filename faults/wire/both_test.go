package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// patience bounds what a test waits for on the real network; only a hang takes that long.
const patience = 30 * time.Second

// onBoth runs a test on loopback TCP, and on memory in virtual time: the two labs must agree.
func onBoth(t *testing.T, test func(t *testing.T, n Network)) {
	t.Run("tcp", func(t *testing.T) { test(t, TCP{}) })
	t.Run("memory", func(t *testing.T) { inMemory(t, test) })
}

// inMemory runs a test in virtual time. Its bubble panics if a goroutine is left.
func inMemory(t *testing.T, test func(t *testing.T, n Network)) {
	synctest.Test(t, func(t *testing.T) { test(t, NewMemory()) })
}

// onConnections is a plan from faults in text form, each for every connection or, as "3: reset", for one.
func onConnections(t *testing.T, texts ...string) faults.Plan {
	t.Helper()
	var p faults.Plan
	for _, text := range texts {
		number, words, ok := strings.Cut(text, ": ")
		if !ok {
			number, words = "0", text
		}
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		f, _, err := faults.Parse(words)
		if err != nil {
			t.Fatal(err)
		}
		p.Connections = append(p.Connections, faults.ConnectionPlan{Number: n, Fault: f})
	}
	return p
}

// listenFor opens a listener with a plan and closes it at the end of the test, which fails if anything is left running.
func listenFor(t *testing.T, n Network, p faults.Plan) *Listener {
	t.Helper()
	l, err := Listen(n, "127.0.0.1:0", Options{Clock: clock.Start(), Plan: p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustClose(t, l) })
	return l
}

func mustClose(t *testing.T, c io.Closer) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// dial connects to an address; the test's end closes it.
func dial(t *testing.T, n Network, a net.Addr) transport {
	t.Helper()
	c, err := tryDial(n, a, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(patience))
	return c
}

func tryDial(n Network, a net.Addr, bound time.Duration) (transport, error) {
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	c, err := n.DialContext(ctx, "tcp", a.String())
	if err != nil {
		return nil, err
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		return tcpConn{tcp}, nil
	}
	return c.(transport), nil
}

// connect gives both ends of a new connection.
func connect(t *testing.T, n Network, l *Listener) (client transport, server *Conn) {
	t.Helper()
	client = dial(t, n, l.Addr())
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return client, c.(*Conn)
}

// arrival is what a reader got: the bytes and how they ended.
func arrival(r io.Reader) string {
	b, err := io.ReadAll(r)
	return string(b) + howEnded(err)
}

func howEnded(err error) string {
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return "|FIN"
	case errors.Is(err, syscall.ECONNRESET):
		return "|RST"
	case errors.Is(err, syscall.EPIPE):
		return "|EPIPE"
	case errors.Is(err, net.ErrClosed):
		return "|closed"
	}
	return "|" + err.Error()
}
