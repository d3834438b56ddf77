// Bench measures what a fake costs, beside a bare server, Toxiproxy and WireMock, and how exact its faults and its virtual time are:
//
//	go run ./fakes/bench      (make bench)
//
// It prints figures and asserts nothing, and ends by itself in less than three minutes. Every server that is measured is a process of its
// own, as it is for most clients; the load comes from this process, and is the same for all.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is the measurement, or one of the processes that it starts of itself.
func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 2 && args[0] == serveVerb:
		return serve(args[1], os.Stdin, os.Stdout)
	case len(args) == 1 && args[0] == playVerb:
		playAndExit(os.Stdout)
	case len(args) > 0:
		return fmt.Errorf("got %q, want no arguments", args)
	}
	return bench(ctx, os.Stdout)
}

// bench measures one thing after another, so that none disturbs the next, and prints each as it is done.
func bench(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "brownout bench: %s, %s/%s, %d CPUs, shared by the load and the servers\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, measure := range []func(context.Context, io.Writer) error{throughput, delays, virtualTime, memory} {
		fmt.Fprintln(out)
		if err := measure(ctx, out); err != nil {
			return err
		}
	}
	return nil
}
