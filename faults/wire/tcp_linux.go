package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// backlog is as many waiting connections as the kernel grants (it caps this at net.core.somaxconn).
	backlog = 4096

	// unanswered is how long a dial of our own must go without an answer to prove that SYNs are dropped; over loopback the kernel
	// answers one within the call that sends it.
	unanswered = 100 * time.Millisecond

	// fillers is how many connections of our own may be needed to fill a backlog of 0; Linux takes one.
	fillers = 8

	// bindTries is how often to look for a free port again when someone takes the one just found.
	bindTries = 10
)

// Open listens on addr; with port 0 on a free port.
func (TCP) Open(addr string) (Port, error) {
	p, err := bind(addr)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: fmt.Errorf("%s: %w", addr, err)}
	}
	if err := p.Open(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// openShut holds addr without letting anyone in.
func (TCP) openShut(addr string) (Port, error) {
	p, err := bind(addr)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: fmt.Errorf("%s: %w", addr, err)}
	}
	p.door.L.Lock()
	defer p.door.L.Unlock()
	p.state = refusing
	return p, nil
}

// tcpPort is one socket that keeps its address for as long as it lives, and starts and stops listening:
//
//	open        listen(4096), accepting
//	refusing    shutdown: Linux takes the socket back to "bound"; SYNs are answered by RST, and the port cannot be taken by others
//	blackholed  listen(0), not accepting, one connection of our own in the backlog: further SYNs are dropped without an answer
type tcpPort struct {
	listener *net.TCPListener
	socket   interface{ Control(func(fd uintptr)) error }

	door    *sync.Cond // Accept waits at it
	state   doorState
	fillers map[string]net.Conn // our own connections in the backlog, by the address that Accept sees
}

// bind makes the socket. The port must be bound by its number: one that the kernel chose would be given up with the first shutdown.
func bind(addr string) (*tcpPort, error) {
	a, err := net.ResolveTCPAddr("tcp4", addr)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		p, err := bindTo(a)
		if a.Port != 0 || !errors.Is(err, unix.EADDRINUSE) || try == bindTries {
			return p, err
		}
	}
}

func bindTo(a *net.TCPAddr) (*tcpPort, error) {
	want := *a
	if want.Port == 0 {
		l, err := net.ListenTCP("tcp4", a)
		if err != nil {
			return nil, err
		}
		want.Port = l.Addr().(*net.TCPAddr).Port
		l.Close()
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	file := os.NewFile(uintptr(fd), "tcp port")
	defer file.Close()
	to := &unix.SockaddrInet4{Port: want.Port}
	copy(to.Addr[:], want.IP.To4())
	if err := bindFirm(fd, to); err != nil {
		return nil, os.NewSyscallError("bind", err)
	}
	l, err := net.FileListener(file)
	if err != nil {
		return nil, err
	}
	listener := l.(*net.TCPListener)
	socket, err := listener.SyscallConn()
	if err != nil {
		l.Close()
		return nil, err
	}
	return &tcpPort{listener: listener, socket: socket, door: sync.NewCond(new(sync.Mutex)), fillers: map[string]net.Conn{}}, nil
}

// bindFirm binds without SO_REUSEADDR where it can, because with it others may bind the same port while nobody listens. Connections
// of an earlier listener that wait for their time to run out (TIME_WAIT) allow it only with.
func bindFirm(fd int, to unix.Sockaddr) error {
	err := unix.Bind(fd, to)
	if err != unix.EADDRINUSE {
		return err
	}
	if err := reuse(fd, true); err != nil {
		return err
	}
	return unix.Bind(fd, to)
}

func reuse(fd int, on bool) error {
	value := 0
	if on {
		value = 1
	}
	return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, value)
}

// listen opens the door: connections inherit SO_REUSEADDR, without which those in TIME_WAIT would forbid to listen again.
func listen(backlog int) func(fd int) error {
	return func(fd int) error {
		if err := reuse(fd, true); err != nil {
			return os.NewSyscallError("setsockopt", err)
		}
		return os.NewSyscallError("listen", unix.Listen(fd, backlog))
	}
}

func unlisten(fd int) error {
	if err := reuse(fd, false); err != nil {
		return os.NewSyscallError("setsockopt", err)
	}
	if err := unix.Shutdown(fd, unix.SHUT_RDWR); err != nil && err != unix.ENOTCONN {
		return os.NewSyscallError("shutdown", err)
	}
	return nil
}

func (p *tcpPort) control(do func(fd int) error) error {
	var err error
	if failed := p.socket.Control(func(fd uintptr) { err = do(int(fd)) }); failed != nil {
		return failed
	}
	return err
}

// turn changes the state of the door by what do does to the socket.
func (p *tcpPort) turn(to doorState, deadline time.Time, do func(fd int) error) error {
	p.door.L.Lock()
	defer p.door.L.Unlock()
	if p.state == closed {
		return net.ErrClosed
	}
	p.listener.SetDeadline(deadline) // one in the past makes Accept leave the socket alone
	if err := p.control(do); err != nil {
		return err
	}
	p.state = to
	p.door.Broadcast()
	return nil
}

func (p *tcpPort) Open() error { return p.turn(open, time.Time{}, listen(backlog)) }

func (p *tcpPort) Refuse() error {
	if err := p.turn(refusing, past(), unlisten); err != nil {
		return err
	}
	p.dropFillers()
	return nil
}

// Blackhole returns when a dial of our own has gone unanswered.
func (p *tcpPort) Blackhole() error {
	if err := p.turn(blackholed, past(), listen(0)); err != nil {
		return err
	}
	for range fillers {
		ctx, cancel := context.WithTimeout(context.Background(), unanswered)
		filler, err := TCP{}.DialContext(ctx, "tcp4", p.Addr().String())
		timedOut := ctx.Err() != nil
		cancel()
		if timedOut {
			return nil
		}
		if err != nil {
			return fmt.Errorf("blackhole %s: %w", p.Addr(), err)
		}
		if !p.keepFiller(filler) {
			return net.ErrClosed
		}
	}
	return fmt.Errorf("blackhole %s: the kernel still answers after %d connections fill a backlog of 0", p.Addr(), fillers)
}

func (p *tcpPort) keepFiller(c net.Conn) bool {
	p.door.L.Lock()
	defer p.door.L.Unlock()
	if p.state == closed {
		c.Close()
		return false
	}
	p.fillers[c.LocalAddr().String()] = c
	return true
}

// isFiller tells our own connections from clients', and ends them.
func (p *tcpPort) isFiller(c net.Conn) bool {
	p.door.L.Lock()
	defer p.door.L.Unlock()
	from := c.RemoteAddr().String()
	filler, ok := p.fillers[from]
	if ok {
		delete(p.fillers, from)
		filler.Close()
		c.Close()
	}
	return ok
}

func (p *tcpPort) dropFillers() {
	p.door.L.Lock()
	defer p.door.L.Unlock()
	for from, c := range p.fillers {
		c.Close()
		delete(p.fillers, from)
	}
}

// Accept gives the next client, as soon as the door is open.
func (p *tcpPort) Accept() (net.Conn, error) {
	for p.waitOpen() {
		c, err := p.listener.AcceptTCP()
		switch {
		case err == nil && p.isFiller(c):
		case err == nil:
			return tcpConn{c}, nil
		case p.isOpen() && !errors.Is(err, unix.EINVAL) && !errors.Is(err, os.ErrDeadlineExceeded):
			return nil, err
		}
	}
	return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: p.Addr(), Err: net.ErrClosed}
}

func (p *tcpPort) isOpen() bool {
	p.door.L.Lock()
	defer p.door.L.Unlock()
	return p.state == open
}

// waitOpen is false when the port is closed.
func (p *tcpPort) waitOpen() bool {
	p.door.L.Lock()
	defer p.door.L.Unlock()
	for p.state == refusing || p.state == blackholed {
		p.door.Wait()
	}
	return p.state == open
}

func (p *tcpPort) Addr() net.Addr { return p.listener.Addr() }

// Close gives the address up.
func (p *tcpPort) Close() error {
	p.door.L.Lock()
	p.state = closed
	p.door.Broadcast()
	p.door.L.Unlock()
	p.dropFillers()
	return p.listener.Close()
}
