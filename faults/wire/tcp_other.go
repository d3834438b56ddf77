//go:build !linux

package wire

import (
	"errors"
	"fmt"
	"net"
)

// Open listens on addr.
func (TCP) Open(addr string) (Port, error) {
	l, err := net.Listen("tcp4", addr)
	if err != nil {
		return nil, err
	}
	return tcpPort{l.(*net.TCPListener)}, nil
}

// tcpPort is always open: only Linux lets a socket stop listening and keep its port, or leave SYNs unanswered.
type tcpPort struct{ *net.TCPListener }

func (p tcpPort) Accept() (net.Conn, error) {
	c, err := p.AcceptTCP()
	if err != nil {
		return nil, err
	}
	return tcpConn{c}, nil
}

func (tcpPort) Open() error   { return nil }
func (tcpPort) Refuse() error { return fmt.Errorf("refuse: want Linux: %w", errors.ErrUnsupported) }
func (tcpPort) Blackhole() error {
	return fmt.Errorf("blackhole: want Linux: %w", errors.ErrUnsupported)
}
