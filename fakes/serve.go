package fakes

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/brownout-dev/brownout/faults/wire"
)

// CloseBound is how long Close waits for exchanges that have all been told to end; on a machine that is not stuck they take milliseconds.
const CloseBound = 10 * time.Second

// serve makes an endpoint the handler of a route: one exchange for each request.
func (f *Fake) serve(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.running.Add(1)
		defer f.running.Done()
		defer f.catch()
		conn := wire.Of(r.Context())
		x := &exchange{fake: f, endpoint: e, w: w, r: r, conn: conn, wire: conn.Begin(), reply: emptyReply()}
		x.run()
	})
}

// catch ends the connection of an exchange that panicked, and keeps the reason.
func (f *Fake) catch() {
	if p := recover(); p != nil {
		f.fail(fmt.Errorf("the fake itself failed: %v\n%s", p, debug.Stack()))
		panic(http.ErrAbortHandler)
	}
}

// count keeps track of the server's connections. One that an exchange has taken is that exchange's.
func (f *Fake) count(_ net.Conn, s http.ConnState) {
	switch s {
	case http.StateNew:
		f.running.Add(1)
	case http.StateClosed, http.StateHijacked:
		f.running.Done()
	}
}

// Close ends the play for this fake: waits and holds of faults return, connections are closed, and nothing of the fake runs any more when
// it returns. The error tells what did not end within CloseBound, and what of the fake itself had failed before.
func (f *Fake) Close() error {
	f.close.Do(func() {
		f.stop()
		f.closed = errors.Join(f.shut(), f.server.Close(), f.wait(), f.failed())
	})
	return f.closed
}

func (f *Fake) wait() error {
	ended := make(chan struct{})
	go func() { f.running.Wait(); close(ended) }()
	bound := time.NewTimer(CloseBound)
	defer bound.Stop()
	select {
	case <-ended:
		return nil
	case <-bound.C:
		return fmt.Errorf("exchanges still run %s after they were ended", CloseBound)
	}
}
