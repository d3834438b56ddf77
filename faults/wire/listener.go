package wire

import (
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// Options say what a listener does to its connections.
type Options struct {
	Clock clock.Clock
	Plan  faults.Plan // only its connection faults matter here
	// Struck is told of a connection fault before it acts: a limit that is never reached never does, the others do when the connection is
	// accepted. Connection 0 is the whole listener. It may be nil, and is called concurrently.
	Struck func(connection int, f faults.Fault)
}

// Listener accepts clients' connections and hands them to an http.Server as [*Conn], each with what the plan has for it.
type Listener struct {
	options Options
	port    Port
	window  *time.Timer // until clients are let in; nil: they are
	records *records
	origin  int            // 0, or the place among those opened beside the first
	group   sync.WaitGroup // every goroutine of ours and of the toxics
	stop    sync.Once
	stopped error

	mu     sync.Mutex
	closed bool
	failed error              // why the port can be used no more
	lines  map[*line]struct{} // those that are not dead
}

var _ net.Listener = (*Listener)(nil)

// Listen opens a port on n. It refuses a plan whose connection faults cannot be done, with the reason. Close ends it.
func Listen(n Network, addr string, o Options) (*Listener, error) {
	if err := check(o.Plan); err != nil {
		return nil, err
	}
	if o.Struck == nil {
		o.Struck = func(int, faults.Fault) {}
	}
	return listen(n, addr, &Listener{options: o, records: &records{}, lines: map[*line]struct{}{}})
}

// Beside opens another origin: a listener of its own, with connection faults of its own, whose connections are numbered and recorded with
// those of the first. Close ends it; the first does not.
func (l *Listener) Beside(n Network, addr string, origin int, plan faults.Plan) (*Listener, error) {
	if err := check(plan); err != nil {
		return nil, err
	}
	o := l.options
	o.Plan = plan
	return listen(n, addr, &Listener{options: o, records: l.records, origin: origin, lines: map[*line]struct{}{}})
}

func listen(n Network, addr string, l *Listener) (*Listener, error) {
	if err := l.open(n, addr); err != nil {
		return nil, err
	}
	return l, nil
}

// Accept gives the next connection that is to be served, a [*Conn].
func (l *Listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.port.Accept()
		if err != nil {
			return nil, l.reason(err)
		}
		raw, ok := accepted.(transport)
		if !ok {
			accepted.Close()
			return nil, fmt.Errorf("connections of %s are %T: want them to have Reset and CloseWrite", l.Addr(), accepted)
		}
		conn, err := l.admit(raw)
		if err != nil {
			return nil, err
		}
		if conn != nil {
			return conn, nil
		}
	}
}

// Addr is the address that clients connect to.
func (l *Listener) Addr() net.Addr { return l.port.Addr() }

// URL is the listener's address for HTTP clients: "http://127.0.0.1:41523".
func (l *Listener) URL() string { return "http://" + l.Addr().String() }

// Connections gives the records so far, in order of acceptance, those of listeners beside it too.
func (l *Listener) Connections() []Connection { return l.records.copy() }
