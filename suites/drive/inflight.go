package drive

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/faults"
)

// inFlight keeps track of the calls of one client, so that done can end them and wait for them. It is safe for concurrent use.
type inFlight struct {
	ctx    context.Context // ends when the client is done
	cancel context.CancelFunc

	mu    sync.Mutex
	calls map[*flight]struct{}
}

// flight is one call under way.
type flight struct {
	operation faults.OperationID
	landed    chan struct{}
}

func newInFlight() *inFlight {
	ctx, cancel := context.WithCancel(context.Background())
	return &inFlight{ctx: ctx, cancel: cancel, calls: map[*flight]struct{}{}}
}

// begin counts a call in; land counts it out. ok is false once the client is done.
func (f *inFlight) begin(op faults.OperationID) (land func(), ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		return nil, false
	}
	c := &flight{operation: op, landed: make(chan struct{})}
	f.calls[c] = struct{}{}
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.calls, c)
		close(c.landed)
	}, true
}

// end cancels the calls under way, waits at most d for them, and says which have not come back.
func (f *inFlight) end(d time.Duration) error {
	f.mu.Lock()
	f.cancel()
	var under []*flight
	for c := range f.calls {
		under = append(under, c)
	}
	f.mu.Unlock()

	timer := time.NewTimer(d)
	defer timer.Stop()
	patient := true
	var out []string
	for _, c := range under {
		if patient {
			select {
			case <-c.landed:
				continue
			case <-timer.C:
				patient = false
			}
		}
		select {
		case <-c.landed:
		default:
			out = append(out, string(c.operation))
		}
	}
	if len(out) == 0 {
		return nil
	}
	return fmt.Errorf("%s still under way %v after being cancelled: %s", counted(len(out), "call"), d, strings.Join(out, ", "))
}
