package wire

import (
	"net"

	"github.com/Shopify/toxiproxy/v2/stream"

	"github.com/brownout-dev/brownout/faults"
)

// admit gives a connection what the plan has for it; nil if it is not to be served.
func (l *Listener) admit(raw transport) (*Conn, error) {
	number := l.records.add(Connection{Origin: l.origin, Opened: l.options.Clock.Now()})
	line := newLine(raw, number, l)
	t, err := treat(l.options.Plan, number)
	if err != nil {
		raw.Close()
		return nil, err
	}
	conn := &Conn{line: line, near: line}
	var toxics []func()
	if t.chained() {
		chain := newChain(line, t.through, func(d stream.Direction) { l.strike(number, t.limits[d]) })
		conn.near, toxics = chain, chain.goroutines()
	}
	l.strike(number, t.atOnce()...)
	if !l.keep(line, toxics) {
		line.cut()
		return nil, net.ErrClosed
	}
	if t.door != 0 {
		l.receive(line, t.door)
		return nil, nil
	}
	return conn, nil
}

// strike makes known what is about to act on a connection: most faults when it is accepted, a limit when it cuts.
func (l *Listener) strike(number int, list ...faults.Fault) {
	for _, f := range list {
		l.records.change(number, func(c *Connection) { c.Faults = append(c.Faults, f.String()) })
		l.options.Struck(number, f)
	}
}

// keep remembers a line until it is dead, and starts what it needs; false when the listener is closing.
func (l *Listener) keep(line *line, run []func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.lines[line] = struct{}{}
	for _, f := range run {
		l.group.Go(f)
	}
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
