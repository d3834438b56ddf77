package journal

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// worst is an attempt of a hostile client, at the very edge of what is kept.
func worst(i int) Attempt {
	header := http.Header{}
	for n := range 2 * MaxFields {
		header[fmt.Sprintf("X-%d-%d", i, n)] = []string{strings.Repeat("x", MaxHead/MaxFields-20)}
	}
	return Attempt{
		Operation: faults.OperationID(fmt.Sprintf("op-%040d", i)),
		Method:    strings.Repeat("M", 1<<10),
		Target:    strings.Repeat("t", 1<<16),
		Header:    header,
		Key:       strings.Repeat("k", 1<<16),
		BodyError: Bounded(strings.Repeat("e", 1<<16), MaxError),
	}
}

// common is an attempt as most clients make it.
func common(i int) Attempt {
	return Attempt{
		Operation: faults.OperationID(fmt.Sprintf("op-%012d", i)),
		Method:    "POST",
		Target:    strings.Clone("/v1/payments?op=op-0123456789ab"),
		Header: http.Header{
			"Accept-Encoding": {strings.Clone("gzip")}, "Content-Length": {strings.Clone("61")}, "Content-Type": {strings.Clone("application/json")},
			"Idempotency-Key": {fmt.Sprintf("5f0c2a9d-0000-4000-8000-%012d", i)}, "User-Agent": {strings.Clone("shop-client/2.3")},
		},
		Key: fmt.Sprintf("5f0c2a9d-0000-4000-8000-%012d", i),
	}
}

// perAttempt measures what one attempt takes in a journal, with a fault and an effect, after all that can be collected is gone.
func perAttempt(n int, attempt func(int) Attempt) float64 {
	var before, after runtime.MemStats
	j := New(clock.Start())
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range n {
		sent := attempt(i)
		a := j.Begin(sent, true, &fixed{})
		j.Update(a.Number, func(a *Attempt) { a.BodySHA256 = strings.Repeat("0", 64) })
		j.Decide(Decision{Operation: a.Operation, Attempt: a.Number, Fault: strings.Clone("reset after-commit")})
		j.Apply(Effect{Operation: a.Operation, Attempt: a.Number, Key: a.Key, What: strings.Clone(sent.Target), Resource: strings.Clone(sent.Target)})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(j)
	return float64(after.HeapAlloc-before.HeapAlloc) / float64(n)
}

func TestAnAttemptsMemoryIsBounded(t *testing.T) {
	if got := perAttempt(200, worst); got > MaxAttemptBytes {
		t.Errorf("got %.0f bytes for a hostile attempt, want at most %d", got, MaxAttemptBytes)
	}
}

func BenchmarkJournalMemory(b *testing.B) {
	for _, row := range []struct {
		name    string
		attempt func(int) Attempt
	}{{"common", common}, {"worst", worst}} {
		b.Run(row.name, func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(perAttempt(1000, row.attempt), "B/attempt")
			}
		})
	}
}
