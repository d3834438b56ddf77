package drive

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// tick is how often a Watcher looks: a hundred times a second costs next to nothing and sees every stall that could spoil a verdict
// given in tens of milliseconds.
const tick = 10 * time.Millisecond

// Watcher measures how late short timers fire on this machine, which is how late an honest client may be through no fault of its own.
// The zero Watcher watches nothing, and has seen nothing that was late.
type Watcher struct {
	began time.Time
	due   atomic.Int64 // when the pending timer should fire, as time since began; 0 = none is pending
	worst atomic.Int64
	stop  func()

	lock sync.Mutex
	all  []time.Duration // every timer that has fired, a hundred a second
}

// WatchLateness starts watching; the caller must call Stop. In a testing/synctest bubble timers are never late, so there it reads 0.
func WatchLateness() *Watcher {
	w := &Watcher{began: time.Now()}
	quit, ended := make(chan struct{}), make(chan struct{})
	w.stop = sync.OnceFunc(func() { close(quit); <-ended })
	w.due.Store(int64(tick))
	go func() {
		defer close(ended)
		w.watch(quit)
	}()
	return w
}

func (w *Watcher) watch(quit <-chan struct{}) {
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for {
		select {
		case <-quit:
			w.worst.Store(int64(w.Max()))
			w.due.Store(0)
			return
		case <-timer.C:
			w.note(time.Since(w.began) - time.Duration(w.due.Load()))
			w.worst.Store(int64(w.Max()))
			w.due.Store(int64(time.Since(w.began) + tick))
			timer.Reset(tick)
		}
	}
}

func (w *Watcher) note(late time.Duration) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.all = append(w.all, max(late, 0))
}

// Typical is what three timers in four are not later than: what the machine adds to most waits, where Max is what it can add to one.
func (w *Watcher) Typical() time.Duration {
	w.lock.Lock()
	defer w.lock.Unlock()
	if len(w.all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(w.all))
	return sorted[len(sorted)*3/4]
}

// Max is the worst lateness so far. A timer that is overdue at this moment counts, so that a machine which stands still is not taken
// for a punctual one.
func (w *Watcher) Max() time.Duration {
	worst, due := time.Duration(w.worst.Load()), time.Duration(w.due.Load())
	if due == 0 {
		return worst
	}
	return max(worst, time.Since(w.began)-due)
}

// Stop ends the watch and gives the worst lateness of all of it. It may be called more than once.
func (w *Watcher) Stop() time.Duration {
	if w.stop != nil {
		w.stop()
	}
	return w.Max()
}
