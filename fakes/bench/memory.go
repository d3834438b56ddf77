package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/wire"
)

// memory measures what a fake keeps of an attempt: the heap after it, less the heap before it, garbage collected both times.
func memory(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "4. Memory. What is kept of an attempt, its effect included. The journal's part of it is at most %d bytes, whatever is sent.\n", journal.MaxAttemptBytes)
	t := tabwriter.NewWriter(out, 0, 0, 0, ' ', tabwriter.AlignRight)
	for _, row := range []struct {
		name string
		each int
		load func(l *load)
	}{
		{"as a common client makes it, on a kept connection", 50_000 / connections, func(*load) {}},
		{"the same, each on a connection of its own", 4_000 / connections, func(l *load) { l.transport.DisableKeepAlives = true }},
		{"as a hostile client makes it: 100 KiB of target, 100 KiB of header", 320 / connections, func(l *load) { l.dress = hostile }},
	} {
		bytes, attempts, err := kept(ctx, row.each, row.load)
		if err != nil {
			return fmt.Errorf("memory of an attempt %s: %w", row.name, err)
		}
		fmt.Fprintf(t, "   \t%.0f bytes\t  %s (%d attempts)\n", bytes, row.name, attempts)
	}
	return t.Flush()
}

func kept(ctx context.Context, each int, dress func(l *load)) (perAttempt float64, attempts int, err error) {
	f, err := fake(wire.TCP{}, "fake")
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	l := newLoad(f.URL())
	dress(l)
	defer l.transport.CloseIdleConnections()
	if _, err := l.times(ctx, 1); err != nil { // so that the connections and their buffers are not counted
		return 0, 0, err
	}
	before, seen := heap(), len(f.Record().Attempts)
	if _, err := l.times(ctx, each); err != nil {
		return 0, 0, err
	}
	after := heap()
	attempts = len(f.Record().Attempts) - seen
	return (float64(after) - float64(before)) / float64(attempts), attempts, nil
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func hostile(r *http.Request, _ string) {
	r.URL.Path += "/" + strings.Repeat("x", 100<<10)
	for i := range 100 {
		r.Header.Set(fmt.Sprintf("X-Field-%d", i), strings.Repeat("x", 1<<10))
	}
}
