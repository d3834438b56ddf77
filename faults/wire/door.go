package wire

import (
	"fmt"
	"io"
	"time"

	"github.com/brownout-dev/brownout/faults"
)

// StallRead is how much of what a client sends to a stalled connection is read: no more than the kernel's own buffers take, so that the
// client cannot tell, and enough to notice most clients going.
const StallRead = 64 << 10

// shutOpener is a network that can hold an address before anyone is let in. Others let clients in for a moment.
type shutOpener interface {
	openShut(addr string) (Port, error)
}

// open takes the address, with its door as the plan has it.
func (l *Listener) open(n Network, addr string) error {
	f, shut, err := window(l.options.Plan)
	if err != nil {
		return err
	}
	take := n.Open
	if s, ok := n.(shutOpener); ok && shut {
		take = s.openShut
	}
	if l.port, err = take(addr); err != nil || !shut {
		return err
	}
	w := f.Action.(faults.Door).Door()
	opens := time.Now().Add(w.For)
	l.options.Struck(0, f)
	if err := shutBy(l.port, w.Door); err != nil {
		l.port.Close()
		return fmt.Errorf("%s: %w", f, err)
	}
	if w.For > 0 {
		l.window = time.AfterFunc(time.Until(opens), func() { l.letIn(f) })
	}
	return nil
}

func shutBy(p Port, door faults.Treatment) error {
	if door == faults.Blackhole {
		return p.Blackhole()
	}
	return p.Refuse()
}

// letIn ends the window in which nobody is let in. If that fails nobody can be judged any more: Accept and Close say so.
func (l *Listener) letIn(f faults.Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if err := l.port.Open(); err != nil {
		l.failed = fmt.Errorf("%s: opening again: %w", f, err)
		l.port.Close()
	}
}

// receive carries out a door's treatment of one connection.
func (l *Listener) receive(line *line, door faults.Treatment) {
	switch door {
	case faults.AcceptAndReset:
		line.reset()
	case faults.AcceptAndClose:
		line.shut()
	case faults.AcceptAndStall:
		l.spawn(func() { stall(line) })
	}
}

func stall(line *line) {
	if _, err := io.CopyN(io.Discard, line, StallRead); err == nil {
		<-line.dead
	}
	line.cut()
}
