package wire

import (
	"errors"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

const (
	// backlog is as many waiting connections as the kernel grants (it caps this at net.core.somaxconn).
	backlog = 4096

	// bindTries is how often to look for a free port again when someone takes the one just found.
	bindTries = 10
)

// bind makes a socket that holds addr and does not listen yet. The port must be bound by its number: one that the kernel chose would be
// given up with the first shutdown.
func bind(addr string) (*net.TCPListener, error) {
	a, err := net.ResolveTCPAddr("tcp4", addr)
	if err != nil {
		return nil, err
	}
	if a.Port != 0 {
		return bindTo(a.IP, a.Port)
	}
	for try := 1; ; try++ {
		port, err := freePort(a)
		if err != nil {
			return nil, err
		}
		l, err := bindTo(a.IP, port)
		if !errors.Is(err, unix.EADDRINUSE) || try == bindTries {
			return l, err
		}
	}
}

func freePort(a *net.TCPAddr) (int, error) {
	l, err := net.ListenTCP("tcp4", a)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func bindTo(ip net.IP, port int) (*net.TCPListener, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	file := os.NewFile(uintptr(fd), "tcp port")
	defer file.Close() // the listener has its own copy
	to := &unix.SockaddrInet4{Port: port}
	copy(to.Addr[:], ip.To4())
	if err := bindFirmly(fd, to); err != nil {
		return nil, os.NewSyscallError("bind", err)
	}
	l, err := net.FileListener(file)
	if err != nil {
		return nil, err
	}
	return l.(*net.TCPListener), nil
}

// bindFirmly binds without SO_REUSEADDR where it can, because with it others may bind the same port while nobody listens. Connections
// of an earlier listener that wait for their time to run out (TIME_WAIT) allow it only with.
func bindFirmly(fd int, to unix.Sockaddr) error {
	err := unix.Bind(fd, to)
	if err != unix.EADDRINUSE {
		return err
	}
	if err := reuse(fd, 1); err != nil {
		return err
	}
	return unix.Bind(fd, to)
}

// listenWith lets clients in. Their connections inherit SO_REUSEADDR, without which those in TIME_WAIT would forbid to listen again.
func listenWith(backlog int) func(fd int) error {
	return func(fd int) error {
		if err := reuse(fd, 1); err != nil {
			return err
		}
		return os.NewSyscallError("listen", unix.Listen(fd, backlog))
	}
}

// unlisten takes a socket back to being bound. One that does not listen is left alone: the kernel would remember the shutdown and hand it
// on to the connections of a later listen.
func unlisten(fd int) error {
	if err := reuse(fd, 0); err != nil {
		return err
	}
	listening, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN)
	if err != nil || listening == 0 {
		return os.NewSyscallError("getsockopt", err)
	}
	return os.NewSyscallError("shutdown", unix.Shutdown(fd, unix.SHUT_RDWR))
}

func reuse(fd, on int) error {
	return os.NewSyscallError("setsockopt", unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, on))
}
