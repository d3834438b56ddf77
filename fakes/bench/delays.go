package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// delay is the fault whose error is measured: "delay 100ms before-commit".
const delay = 100 * time.Millisecond

// So few clients, one after the other, are never delayed at the same moment: a timer's error is not to be that of a crowd it wakes.
const (
	delayClients = 8
	delayEach    = 75
)

// delays measures by how much a request that is delayed takes longer than the delay and what it takes without one. The requests
// without one come as far from each other, because a machine that sleeps in between is slower to answer than one that never does.
func delays(ctx context.Context, out io.Writer) error {
	plain, err := sparsely(ctx, "fake", delay)
	if err != nil {
		return err
	}
	late, err := sparsely(ctx, "delay", 0)
	if err != nil {
		return err
	}
	bare, err := timers(ctx)
	if err != nil {
		return err
	}
	base := plain.quantile(50)
	fmt.Fprintf(out, "2. The error of the fault \"delay %v before-commit\", in real time: what %d requests took, less that delay and less\n"+
		"   the median of requests without it (%.2f ms). Below it, that of a timer alone, which is the machine's and not the fault's.\n", delay, late.requests, millis(base))
	fmt.Fprintf(out, "   fault: p50 %s (aim: p99 below 1 ms on a quiet machine)\n", beyond(late, delay+base))
	fmt.Fprintf(out, "   timer: p50 %s\n", beyond(bare, delay))
	return nil
}

// beyond tells by how much a sample exceeds what was asked for.
func beyond(s sample, d time.Duration) string {
	over := func(percent float64) float64 { return millis(s.quantile(percent) - d) }
	return fmt.Sprintf("%.2f ms, p99 %.2f ms, at most %.2f ms", over(50), over(99), over(100))
}

// timers waits as the fault does, and does nothing else.
func timers(ctx context.Context) (sample, error) {
	l := load{clients: delayClients, stagger: delay / delayClients}
	l.do = func(ctx context.Context) error { wait(ctx, delay); return nil }
	return l.times(ctx, delayEach)
}

// sparsely loads one server, while all others rest.
func sparsely(ctx context.Context, name string, pause time.Duration) (sample, error) {
	s, err := own(name)(ctx)
	if err != nil {
		return sample{}, err
	}
	l := newLoad(s.url)
	l.clients, l.stagger, l.pause = delayClients, delay/delayClients, pause
	met, err := l.times(ctx, delayEach)
	l.transport.CloseIdleConnections()
	_, ended := s.stop()
	return met, errors.Join(err, ended)
}
