package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

const (
	// unanswered is how long a dial of our own goes without an answer to prove that SYNs are dropped; over loopback the kernel answers
	// within the call that sends them.
	unanswered = 100 * time.Millisecond

	// fillTries is how many dials of our own it may take: one that fills the backlog and one that goes unanswered, on Linux.
	fillTries = 8
)

// Blackhole fills the backlog and returns when a dial of our own has gone unanswered.
func (p *tcpPort) Blackhole() error {
	if err := p.turn(blackholed, past(), listenWith(0)); err != nil {
		return err
	}
	filled := false
	for range fillTries {
		filler, err := p.dialOurselves()
		switch {
		case err != nil:
			return fmt.Errorf("blackhole %s: %w", p.Addr(), err)
		case filler == nil && filled:
			return nil
		case filler != nil && !p.keepFiller(filler):
			return net.ErrClosed
		}
		filled = true // by the filler, or by a client that came first if the dial went unanswered: asked once more to be sure
	}
	return fmt.Errorf("blackhole %s: %d dials fill a backlog of 0, and the kernel still answers", p.Addr(), fillTries)
}

// dialOurselves gives nil for a dial that went unanswered.
func (p *tcpPort) dialOurselves() (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), unanswered)
	defer cancel()
	c, err := TCP{}.DialContext(ctx, "tcp4", p.Addr().String())
	var failed net.Error
	if errors.As(err, &failed) && failed.Timeout() {
		return nil, nil
	}
	return c, err
}

func (p *tcpPort) keepFiller(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == closed {
		c.Close()
		return false
	}
	p.fillers[c.LocalAddr().String()] = c
	return true
}

// isFiller tells our own connections from clients', and ends them.
func (p *tcpPort) isFiller(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
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
	p.mu.Lock()
	defer p.mu.Unlock()
	for from, c := range p.fillers {
		c.Close()
		delete(p.fillers, from)
	}
}
