package drive

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestLatenessInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := WatchLateness()
		time.Sleep(10 * time.Minute)
		if got := w.Max(); got != 0 {
			t.Errorf("got %v; want 0: virtual timers are never late", got)
		}
		if a, b := w.Stop(), w.Stop(); a != 0 || b != 0 {
			t.Errorf("got %v and %v; want 0", a, b)
		}
		time.Sleep(time.Hour) // nothing of the watch may be left to wake up, nor be late
		if got := w.Max(); got != 0 {
			t.Errorf("got %v after the end; want 0", got)
		}
	})
}

func TestLatenessCountsWhatIsOverdue(t *testing.T) {
	w := &Watcher{began: time.Now().Add(-time.Hour)}
	w.worst.Store(int64(time.Second))
	w.due.Store(int64(59 * time.Minute))
	if got := w.Max(); got < time.Minute {
		t.Errorf("got %v; want at least the minute by which the pending timer is late", got)
	}
	w.due.Store(int64(2 * time.Hour))
	if got := w.Max(); got != time.Second {
		t.Errorf("got %v; want the worst so far", got)
	}
}

func TestLatenessOfARealMachine(t *testing.T) {
	w := WatchLateness()
	for w.worst.Load() == 0 { // no timer fires at the very nanosecond
		time.Sleep(tick)
	}
	if got := w.Stop(); got <= 0 || got > hangGuard {
		t.Errorf("got %v; want some", got)
	}
}
