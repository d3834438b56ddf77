package stores

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// bench is a store whose clock and ledger the test holds.
type bench struct {
	*Memory
	now     clock.Moment
	effects []journal.Effect
}

const keptFor = time.Hour

func newBench() *bench {
	b := &bench{now: 1}
	b.Memory = NewMemory(func() clock.Moment { return b.now }, keptFor, func(e journal.Effect) { b.effects = append(b.effects, e) })
	return b
}

// work has one effect and a reply that names it.
func work(name string) Work {
	return func(t Tx) faults.Reply {
		t.Apply(journal.Effect{What: name})
		return faults.Reply{Status: http.StatusCreated, Header: http.Header{"X": {name}}, Body: []byte(name)}
	}
}

// did is what came of a claim, in words.
func did(c Claim, saved *faults.Reply, err error) string {
	switch {
	case c != nil && saved == nil && err == nil:
		return "granted"
	case c == nil && saved != nil && err == nil:
		return "saved " + string(saved.Body)
	case c == nil && saved == nil && err != nil:
		return err.Error()
	}
	return "more than one answer"
}

func TestClaim(t *testing.T) {
	ctx := context.Background()
	first := Key{Caller: "alice", Method: "POST", Path: "/v1/payments", Value: "k"}
	with := func(change func(*Key)) Key { k := first; change(&k); return k }
	commit := func(t *testing.T, b *bench, c Claim) {
		if _, err := c.Commit(ctx, work("first")); err != nil {
			t.Fatal(err)
		}
	}
	release := func(t *testing.T, b *bench, c Claim) {
		if err := c.Release(ctx); err != nil {
			t.Fatal(err)
		}
	}
	later := func(d time.Duration) func(*testing.T, *bench, Claim) {
		return func(t *testing.T, b *bench, c Claim) { commit(t, b, c); b.now = b.now.Add(d) }
	}
	nothing := func(*testing.T, *bench, Claim) {}
	for _, row := range []struct {
		name  string
		then  func(*testing.T, *bench, Claim) // what the holder of the first claim does before the second one is asked for
		key   Key
		print Print
		want  string
	}{
		{"running", nothing, first, Print{1}, ErrRunning.Error()},
		{"running, other payload", nothing, first, Print{2}, ErrMismatch.Error()},
		{"done", commit, first, Print{1}, "saved first"},
		{"done, other payload", commit, first, Print{2}, ErrMismatch.Error()},
		{"given back", release, first, Print{1}, "granted"},
		{"given back, other payload", release, first, Print{2}, "granted"},
		{"just within its time", later(keptFor - 1), first, Print{1}, "saved first"},
		{"time is over", later(keptFor), first, Print{1}, "granted"},
		{"time is over, other payload", later(keptFor), first, Print{2}, "granted"},
		{"other caller", commit, with(func(k *Key) { k.Caller = "bob" }), Print{1}, "granted"},
		{"other method", commit, with(func(k *Key) { k.Method = "PATCH" }), Print{1}, "granted"},
		{"other path", commit, with(func(k *Key) { k.Path = "/v1/refunds" }), Print{1}, "granted"},
		{"other key", commit, with(func(k *Key) { k.Value = "l" }), Print{1}, "granted"},
		{"parts of the scope do not run together", commit, Key{Caller: "aliceP", Method: "OST", Path: "/v1/payments", Value: "k"}, Print{1}, "granted"},
		{"no key", commit, with(func(k *Key) { k.Value = "" }), Print{1}, "granted"},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench()
			claim, _, err := b.Claim(ctx, first, Print{1})
			if err != nil {
				t.Fatal(err)
			}
			row.then(t, b, claim)
			if got := did(b.Claim(ctx, row.key, row.print)); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

// A running claim has no time that could be over: its attempt may be delayed for as long as its fault says.
func TestRunningOutlivesRetention(t *testing.T) {
	b := newBench()
	key := Key{Value: "k"}
	if _, _, err := b.Claim(context.Background(), key, Print{}); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(10 * keptFor)
	if _, _, err := b.Claim(context.Background(), key, Print{}); !errors.Is(err, ErrRunning) {
		t.Errorf("got %v, want %v", err, ErrRunning)
	}
}

func TestWithoutKeyEveryRequestIsApplied(t *testing.T) {
	b := newBench()
	for range 3 {
		claim, _, err := b.Claim(context.Background(), Key{Caller: "alice", Method: "POST", Path: "/"}, Print{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := claim.Commit(context.Background(), work("each")); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := len(b.effects), 3; got != want {
		t.Errorf("got %d effects, want %d", got, want)
	}
	if got := len(b.keys) + len(b.done); got != 0 {
		t.Errorf("got %d receipts, want none", got)
	}
}

// A fault may spoil the reply that is sent; what was saved has to stay as it was.
func TestSavedReplyIsNobodysElse(t *testing.T) {
	b, ctx, key := newBench(), context.Background(), Key{Value: "k"}
	claim, _, err := b.Claim(ctx, key, Print{})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := claim.Commit(ctx, work("true"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		sent.Header.Set("X", "spoiled")
		copy(sent.Body, "lies")
		_, saved, err := b.Claim(ctx, key, Print{})
		if err != nil {
			t.Fatal(err)
		}
		if got := saved.Header.Get("X") + " " + string(saved.Body); got != "true true" {
			t.Errorf("got %q, want %q", got, "true true")
		}
		sent = *saved
	}
}

func TestResultsAreDroppedWhenTheirTimeIsOver(t *testing.T) {
	b, ctx := newBench(), context.Background()
	for i := range 1000 {
		b.now = b.now.Add(keptFor / 100)
		claim, _, err := b.Claim(ctx, Key{Value: string(rune('a' + i))}, Print{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := claim.Commit(ctx, work("one")); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := len(b.keys), 100; got > want {
		t.Errorf("got %d results kept, want at most %d: those of the last %s", got, want, keptFor)
	}
}

func TestDocuments(t *testing.T) {
	b, ctx := newBench(), context.Background()
	in := func(work func(t Tx)) {
		claim, _, err := b.Claim(ctx, Key{}, Print{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := claim.Commit(ctx, func(tx Tx) faults.Reply { work(tx); return faults.Reply{} }); err != nil {
			t.Fatal(err)
		}
	}
	in(func(tx Tx) { tx.Put("/there", []byte("x")); tx.Put("/deleted", nil) })
	in(func(tx Tx) {
		for path, want := range map[string]struct {
			document string
			touched  bool
		}{"/there": {"x", true}, "/deleted": {"", true}, "/never": {"", false}} {
			if got, touched := tx.Get(path); string(got) != want.document || touched != want.touched {
				t.Errorf("%s: got %q, %t, want %q, %t", path, got, touched, want.document, want.touched)
			}
		}
	})
}
