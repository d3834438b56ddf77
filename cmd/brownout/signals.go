package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal gives a context that ends with the first signal that asks this process to end: what runs then ends in order. After a second
// one nobody is waited for: atOnce is called.
//
//	SIGINT   Ctrl-C
//	SIGTERM  a service manager, or a CI stage that is cancelled
//	SIGHUP   the terminal was closed; left alone where it is ignored, as under nohup
func untilSignal(ctx context.Context, atOnce func()) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	came := make(chan os.Signal, 2)
	signal.Notify(came, ends...)
	go func() {
		<-came
		cancel()
		<-came
		atOnce()
	}()
	return ctx
}

// outliveReaders makes writes to a pipe that nobody reads any more fail, instead of ending this process amid its clients: "run | head -1"
// must neither leave one behind nor change the verdict. The clients themselves start with the signal as it always is.
func outliveReaders() (undo func()) {
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGPIPE)
	return func() { signal.Stop(gone) }
}
