package wire

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// CloseBound is how long [Listener.Close] waits for goroutines that have all been told to end; on a machine that is not stuck they
// take milliseconds.
const CloseBound = 10 * time.Second

// Options say what a listener does to its connections.
type Options struct {
	Clock clock.Clock
	Plan  faults.Plan // only its connection faults matter here
	// Struck is told of a connection fault before it acts; connection 0 is the whole listener. It may be nil, and is called concurrently.
	Struck func(connection int, f faults.Fault)
}

// Listener accepts clients' connections and hands them to an http.Server as [*Conn], each with what the plan has for it.
type Listener struct {
	options Options
	port    Port
	records records
	group   sync.WaitGroup // every goroutine of ours and of the toxics
	stop    sync.Once
	stopped error

	mu     sync.Mutex
	closed bool
	lines  map[*line]struct{} // those that are not dead
}

var _ net.Listener = (*Listener)(nil)

// Listen opens a port on n. It refuses a plan whose connection faults cannot be done, with the reason. Close ends it.
func Listen(n Network, addr string, o Options) (*Listener, error) {
	if err := o.Plan.Check(); err != nil {
		return nil, err
	}
	if o.Struck == nil {
		o.Struck = func(int, faults.Fault) {}
	}
	port, err := n.Open(addr)
	if err != nil {
		return nil, err
	}
	return &Listener{options: o, port: port, lines: map[*line]struct{}{}}, nil
}

// Accept gives the next connection that is to be served, a [*Conn].
func (l *Listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.port.Accept()
		if err != nil {
			return nil, err
		}
		raw, ok := accepted.(transport)
		if !ok {
			accepted.Close()
			return nil, fmt.Errorf("connections of %s are %T: want them to have Reset and CloseWrite", l.Addr(), accepted)
		}
		conn, err := l.admit(raw)
		if err != nil || conn != nil {
			return conn, err
		}
	}
}

func (l *Listener) admit(raw transport) (net.Conn, error) {
	number := l.records.add(Connection{Opened: l.options.Clock.Now()})
	line := newLine(raw, number, l)
	if !l.keep(line) {
		line.cut()
		return nil, net.ErrClosed
	}
	return &Conn{line: line, near: line}, nil
}

// keep remembers a line until it is dead; false when the listener is closing.
func (l *Listener) keep(line *line) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.lines[line] = struct{}{}
	return true
}

func (l *Listener) forget(line *line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.lines, line)
}

// spawn runs f in a goroutine that Close waits for; false when the listener is closing and starts nothing more.
func (l *Listener) spawn(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.group.Go(f)
	return true
}

// Addr is the address that clients connect to.
func (l *Listener) Addr() net.Addr { return l.port.Addr() }

// URL is the listener's address for HTTP clients: "http://127.0.0.1:41523".
func (l *Listener) URL() string { return "http://" + l.Addr().String() }

// Connections gives the records so far, in order of acceptance.
func (l *Listener) Connections() []Connection { return l.records.copy() }

// Close stops accepting, ends all connections and waits until nothing of them runs any more, for at most [CloseBound].
func (l *Listener) Close() error {
	l.stop.Do(func() { l.stopped = l.close() })
	return l.stopped
}

func (l *Listener) close() error {
	err := l.port.Close()
	for _, line := range l.shutDoor() {
		line.cut()
	}
	ended := make(chan struct{})
	go func() { l.group.Wait(); close(ended) }()
	bound := time.NewTimer(CloseBound)
	defer bound.Stop()
	select {
	case <-ended:
		return err
	case <-bound.C:
		return errors.Join(err, fmt.Errorf("listener %s: connections still run %v after they were ended", l.Addr(), CloseBound))
	}
}

// shutDoor lets nothing new start, and gives what is there.
func (l *Listener) shutDoor() []*line {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	var lines []*line
	for line := range l.lines {
		lines = append(lines, line)
	}
	return lines
}
