package wire

import (
	"errors"
	"fmt"
	"net"
	"time"
)

// CloseBound is how long [Listener.Close] waits for goroutines that have all been told to end; on a machine that is not stuck they
// take milliseconds.
const CloseBound = 10 * time.Second

// Close stops accepting, ends all connections and waits until nothing of them runs any more, for at most [CloseBound].
func (l *Listener) Close() error {
	l.stop.Do(func() { l.stopped = l.close() })
	return l.stopped
}

func (l *Listener) close() error {
	lines := l.finish()
	err := l.port.Close()
	if l.window != nil {
		l.window.Stop()
	}
	if err = l.reason(err); errors.Is(err, net.ErrClosed) {
		err = nil
	}
	for _, line := range lines {
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

// reason is err, or what brought it about.
func (l *Listener) reason(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return l.failed
	}
	return err
}

// finish lets nothing new start, and gives the lines that are left.
func (l *Listener) finish() []*line {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	var lines []*line
	for line := range l.lines {
		lines = append(lines, line)
	}
	return lines
}
