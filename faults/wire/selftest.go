package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
)

// selfTestBound is how long a self-test takes at most: it sends a few packets over loopback.
const selfTestBound = 5 * time.Second

// SelfTest proves that on this machine's n faults arrive as what they are: a reset as ECONNRESET, a shut as EOF, a refused port as
// ECONNREFUSED. The error says which does not, and what arrived instead: no verdict could be trusted then. It takes milliseconds.
func SelfTest(ctx context.Context, n Network) error {
	ctx, cancel := context.WithTimeout(ctx, selfTestBound)
	defer cancel()
	l, err := Listen(n, "127.0.0.1:0", Options{Clock: clock.Start()})
	if err != nil {
		return fmt.Errorf("self-test: %w", err)
	}
	for _, part := range []struct {
		name, want string
		arrives    func(error) bool
		meet       func(context.Context, Network, *Listener) error
	}{
		{"a reset", "ECONNRESET", isErrno(syscall.ECONNRESET), afterRequest((*Conn).Reset)},
		{"a shut", "EOF", func(err error) bool { return err == io.EOF }, afterRequest((*Conn).Shut)},
		{"a refused port", "ECONNREFUSED", isErrno(syscall.ECONNREFUSED), refusedDial},
	} {
		if got := part.meet(ctx, n, l); !part.arrives(got) {
			return errors.Join(fmt.Errorf("self-test: %s arrives as %s, want %s", part.name, described(got), part.want), l.Close())
		}
	}
	return l.Close()
}

func isErrno(want syscall.Errno) func(error) bool {
	return func(got error) bool { return errors.Is(got, want) }
}

func described(err error) string {
	if err == nil {
		return "nothing"
	}
	return fmt.Sprintf("%q", err)
}

// afterRequest gives what a client meets that has sent a request, of which the server reads a part before it ends the connection.
func afterRequest(end func(*Conn)) func(context.Context, Network, *Listener) error {
	return func(ctx context.Context, n Network, l *Listener) error {
		client, err := n.DialContext(ctx, "tcp", l.Addr().String())
		if err != nil {
			return err
		}
		defer client.Close()
		stop := context.AfterFunc(ctx, func() { l.port.Close(); client.Close() })
		defer stop()
		accepted, err := l.Accept()
		if err != nil {
			return err
		}
		if _, err := client.Write([]byte("request")); err != nil {
			return err
		}
		if _, err := accepted.Read(make([]byte, 1)); err != nil {
			return err
		}
		end(accepted.(*Conn))
		_, err = client.Read(make([]byte, 1))
		return err
	}
}

// refusedDial gives what a client meets at a port that refuses; where no port can be told to, at one that is closed.
func refusedDial(ctx context.Context, n Network, l *Listener) error {
	err := l.port.Refuse()
	if errors.Is(err, errors.ErrUnsupported) {
		err = l.port.Close()
	}
	if err != nil {
		return err
	}
	var client net.Conn
	if client, err = n.DialContext(ctx, "tcp", l.Addr().String()); err == nil {
		client.Close()
	}
	return err
}
