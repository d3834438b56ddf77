package wire

import (
	"context"
	"errors"
	"net"
	"regexp"
	"testing"
)

func TestSelfTest(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		if err := SelfTest(t.Context(), n); err != nil {
			t.Error(err)
		}
	})
}

// A network that does not do what it is told, in one way.
type liar struct {
	Network
	port func(Port) Port
}

func (n liar) Open(addr string) (Port, error) {
	p, err := n.Network.Open(addr)
	return n.port(p), err
}

// meekPort gives connections whose resets are closes.
type meekPort struct{ Port }

type meekConn struct{ transport }

func (c meekConn) Reset() error { c.CloseWrite(); return nil }

func (p meekPort) Accept() (net.Conn, error) {
	c, err := p.Port.Accept()
	if err != nil {
		return nil, err
	}
	return meekConn{c.(transport)}, nil
}

// rudePort gives connections whose FIN is RST.
type rudePort struct{ Port }

type rudeConn struct{ transport }

func (c rudeConn) CloseWrite() error { return c.Reset() }

func (p rudePort) Accept() (net.Conn, error) {
	c, err := p.Port.Accept()
	if err != nil {
		return nil, err
	}
	return rudeConn{c.(transport)}, nil
}

// hospitablePort never shuts its door.
type hospitablePort struct{ Port }

func (hospitablePort) Refuse() error { return nil }

// limitedPort cannot refuse, and says so.
type limitedPort struct{ Port }

func (limitedPort) Refuse() error { return errors.ErrUnsupported }

func TestSelfTestFindsLiars(t *testing.T) {
	for _, row := range []struct {
		name string
		port func(Port) Port
		want string
	}{
		{"resets are closes", func(p Port) Port { return meekPort{p} }, `self-test: a reset arrives as "EOF", want ECONNRESET`},
		{"closes are resets", func(p Port) Port { return rudePort{p} }, `self-test: a shut arrives as "read tcp ADDR->ADDR: read: connection reset by peer", want EOF`},
		{"refusing lets in", func(p Port) Port { return hospitablePort{p} }, `self-test: a refused port arrives as nothing, want ECONNREFUSED`},
		{"refusing is not supported", func(p Port) Port { return limitedPort{p} }, ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				got := ""
				if err := SelfTest(t.Context(), liar{n, row.port}); err != nil {
					got = address.ReplaceAllString(err.Error(), "ADDR")
				}
				if got != row.want {
					t.Errorf("got  %s\nwant %s", got, row.want)
				}
			})
		})
	}
}

func TestSelfTestEndsWithItsContext(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := SelfTest(ctx, n); err == nil {
			t.Error("a self-test that was cancelled has passed")
		}
	})
}

var address = regexp.MustCompile(`127\.0\.0\.1:\d+`)
