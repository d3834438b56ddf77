package wire

import (
	"context"
	"net"
)

// TCP is the real network: IPv4 sockets of this machine, loopback in all but `serve`. Doors can be shut and walled up on Linux only.
type TCP struct{}

var _ Network = TCP{}

// DialContext connects as any client would.
func (TCP) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, addr)
}

// tcpConn is a TCP connection that can end with RST.
type tcpConn struct{ *net.TCPConn }

var _ transport = tcpConn{}

// Reset makes the kernel send RST (SO_LINGER of 0) and drop what it has not sent yet.
func (c tcpConn) Reset() error {
	if err := c.SetLinger(0); err != nil {
		return err
	}
	return c.Close()
}
