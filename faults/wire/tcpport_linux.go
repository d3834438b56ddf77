package wire

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tcpPort is one socket that keeps its address for as long as it lives, and starts and stops listening:
//
//	open        listen(4096), accepting
//	refusing    shutdown: Linux takes the socket back to being bound; SYNs are answered by RST, and nobody else gets the port
//	blackholed  listen(0), not accepting, a connection of our own in the backlog: further SYNs are dropped without an answer
type tcpPort struct {
	listener *net.TCPListener
	socket   syscall.RawConn

	mu      sync.Mutex
	door    *sync.Cond // Accept waits at it
	state   doorState
	fillers map[string]net.Conn // our own connections in the backlog, by the address that Accept sees
}

var _ Port = (*tcpPort)(nil)

// Open listens on addr; with port 0 on a free port.
func (n TCP) Open(addr string) (Port, error) {
	p, err := n.openShut(addr)
	if err != nil {
		return nil, err
	}
	if err := p.Open(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// openShut holds addr without letting anyone in.
func (TCP) openShut(addr string) (Port, error) {
	l, err := bind(addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	socket, err := l.SyscallConn()
	if err != nil {
		l.Close()
		return nil, err
	}
	p := &tcpPort{listener: l, socket: socket, state: refusing, fillers: map[string]net.Conn{}}
	p.door = sync.NewCond(&p.mu)
	return p, p.Refuse() // firmly, also where bind had to be lenient
}

// turn changes the state of the door by what do does to the socket.
func (p *tcpPort) turn(to doorState, deadline time.Time, do func(fd int) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == closed {
		return net.ErrClosed
	}
	p.listener.SetDeadline(deadline) // one in the past makes Accept leave the socket alone
	var err error
	if failed := p.socket.Control(func(fd uintptr) { err = do(int(fd)) }); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	p.state = to
	p.door.Broadcast()
	return nil
}

func (p *tcpPort) Open() error { return p.turn(open, time.Time{}, listenWith(backlog)) }

func (p *tcpPort) Refuse() error {
	if err := p.turn(refusing, past(), unlisten); err != nil {
		return err
	}
	p.dropFillers()
	return nil
}

// Accept gives the next client, as soon as the door is open.
func (p *tcpPort) Accept() (net.Conn, error) {
	for p.waitOpen() {
		c, err := p.listener.AcceptTCP()
		switch {
		case err == nil && p.isFiller(c):
		case err == nil:
			return tcpConn{c}, nil
		case !doorMoved(err):
			return nil, err
		}
	}
	return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: p.Addr(), Err: net.ErrClosed}
}

// doorMoved tells errors that come from turning the door while Accept waits.
func doorMoved(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, net.ErrClosed)
}

// waitOpen is false when the port is closed.
func (p *tcpPort) waitOpen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.state == refusing || p.state == blackholed {
		p.door.Wait()
	}
	return p.state == open
}

func (p *tcpPort) Addr() net.Addr { return p.listener.Addr() }

// Close gives the address up.
func (p *tcpPort) Close() error {
	p.mu.Lock()
	p.state = closed
	p.door.Broadcast()
	p.mu.Unlock()
	p.dropFillers()
	return p.listener.Close()
}
