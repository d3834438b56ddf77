package wire

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	// firstPort and firstClientPort are where a memory network begins to number the ports it chooses, for listeners and for clients.
	firstPort, firstClientPort, lastPort = 41001, 50001, 65535

	// synAgain is when an unanswered SYN is sent again; each further wait is twice as long (RFC 6298, 2 and 5.5).
	synAgain = time.Second

	// synTries is how many SYNs Linux sends before a dial ends in ETIMEDOUT, after 127 s.
	synTries = 7
)

// Memory is a network inside the process, for virtual time: all its waits are durably blocking for testing/synctest. It behaves as TCP
// over loopback does on Linux, as far as HTTP can tell: FIN, RST, half-closed connections, bounded buffers, unanswered SYNs that are sent
// again. It must be made inside the bubble it is used in, and is safe for concurrent use.
type Memory struct {
	mu       sync.Mutex
	ports    map[string]*memoryPort
	nextPort int
	nextFrom int
}

var _ Network = (*Memory)(nil)

// NewMemory makes an empty network.
func NewMemory() *Memory {
	return &Memory{ports: map[string]*memoryPort{}, nextPort: firstPort, nextFrom: firstClientPort}
}

// Open listens on addr; with port 0 on a free port.
func (m *Memory) Open(addr string) (Port, error) { return m.take(addr, open) }

// openShut holds addr without letting anyone in.
func (m *Memory) openShut(addr string) (Port, error) { return m.take(addr, refusing) }

func (m *Memory) take(addr string, door doorState) (Port, error) {
	at, err := resolve(addr)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: err}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if at.Port == 0 {
		at.Port = m.freePort(*at)
	}
	if m.ports[at.String()] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Addr: at, Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}
	}
	p := newMemoryPort(m, at, door)
	m.ports[at.String()] = p
	return p, nil
}

func (m *Memory) freePort(at net.TCPAddr) int {
	for at.Port == 0 || m.ports[at.String()] != nil {
		at.Port = m.nextPort
		m.nextPort++
	}
	return at.Port
}

// resolve reads an address without asking anyone.
func resolve(addr string) (*net.TCPAddr, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("address %q: want a port number, such as 127.0.0.1:0", addr)
	}
	ip := net.ParseIP(host)
	if host == "" || host == "localhost" {
		ip = net.IPv4(127, 0, 0, 1)
	}
	if ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("address %q: want a loopback address, such as 127.0.0.1:0", addr)
	}
	return &net.TCPAddr{IP: ip, Port: int(n)}, nil
}

// DialContext connects to a port of this network. An unanswered dial goes on until ctx ends, at most as long as Linux would try.
func (m *Memory) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	fail := func(at net.Addr, err error) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: network, Addr: at, Err: err}
	}
	if network != "tcp" && network != "tcp4" {
		return fail(nil, net.UnknownNetworkError(network))
	}
	to, err := resolve(addr)
	if err != nil {
		return fail(nil, err)
	}
	for wait, try := synAgain, 0; try < synTries; wait, try = 2*wait, try+1 {
		if ctx.Err() != nil {
			return fail(to, ctx.Err())
		}
		client, answered := m.knock(to)
		switch {
		case client != nil:
			return client, nil
		case answered:
			return fail(to, os.NewSyscallError("connect", syscall.ECONNREFUSED))
		}
		again := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-again.C:
		}
		again.Stop()
	}
	return fail(to, os.NewSyscallError("connect", syscall.ETIMEDOUT))
}

// knock sends one SYN: it gives a connection, or whether there was any answer.
func (m *Memory) knock(to *net.TCPAddr) (client *memoryConn, answered bool) {
	m.mu.Lock()
	port := m.ports[to.String()]
	from := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: m.nextFrom}
	if m.nextFrom++; m.nextFrom > lastPort {
		m.nextFrom = firstClientPort
	}
	m.mu.Unlock()
	if port == nil {
		return nil, true
	}
	return port.knock(from)
}

func (m *Memory) release(p *memoryPort) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ports[p.addr.String()] == p {
		delete(m.ports, p.addr.String())
	}
}
