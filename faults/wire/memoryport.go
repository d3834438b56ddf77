package wire

import (
	"net"
	"sync"
)

// memoryBacklog is how many connections wait for Accept; further SYNs go unanswered, as on Linux.
const memoryBacklog = 4096

// memoryPort is a listening address of a memory network.
type memoryPort struct {
	net  *Memory
	addr *net.TCPAddr

	mu      sync.Mutex
	door    *sync.Cond
	state   doorState
	waiting []*memoryConn
}

var _ Port = (*memoryPort)(nil)

func newMemoryPort(m *Memory, at *net.TCPAddr, door doorState) *memoryPort {
	p := &memoryPort{net: m, addr: at, state: door}
	p.door = sync.NewCond(&p.mu)
	return p
}

func (p *memoryPort) knock(from *net.TCPAddr) (client *memoryConn, answered bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.state == blackholed, p.state == open && len(p.waiting) == memoryBacklog:
		return nil, false
	case p.state != open:
		return nil, true
	}
	client, server := newMemoryPair(from, p.addr)
	p.waiting = append(p.waiting, server)
	p.door.Broadcast()
	return client, true
}

// Accept gives the next client, as soon as the door is open.
func (p *memoryPort) Accept() (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.state != closed && (p.state != open || len(p.waiting) == 0) {
		p.door.Wait()
	}
	if p.state == closed {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: p.addr, Err: net.ErrClosed}
	}
	c := p.waiting[0]
	p.waiting = p.waiting[1:]
	return c, nil
}

func (p *memoryPort) Open() error      { return p.turn(open) }
func (p *memoryPort) Refuse() error    { return p.turn(refusing) }
func (p *memoryPort) Blackhole() error { return p.turn(blackholed) }

// turn changes the state of the door. Whoever waits to be accepted when it shuts is reset, as by Linux.
func (p *memoryPort) turn(to doorState) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == closed {
		return net.ErrClosed
	}
	p.state = to
	if to == refusing || to == closed {
		for _, c := range p.waiting {
			c.Reset()
		}
		p.waiting = nil
	}
	p.door.Broadcast()
	return nil
}

func (p *memoryPort) Addr() net.Addr { return p.addr }

// Close gives the address up.
func (p *memoryPort) Close() error {
	p.net.release(p)
	return p.turn(closed)
}
