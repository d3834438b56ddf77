package journal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// fixed are byte times that the test sets.
type fixed struct{ times wire.Times }

func (f *fixed) Times() wire.Times { return f.times }

func TestTriesCountPerOperation(t *testing.T) {
	j := New(clock.Start())
	begin := func(op faults.OperationID, named bool) Attempt {
		return j.Begin(Attempt{Operation: op}, named, &fixed{})
	}
	a := begin("op-a", true)
	late := begin("", false)
	b := begin("op-b", true)
	again := begin("op-a", true)
	named := j.Name(late.Number, "op-a")
	got := []int{a.Try, late.Try, b.Try, again.Try, named}
	if want := []int{1, 0, 1, 2, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("got tries %v, want %v", got, want)
	}
	if got := j.Record().Attempts[late.Number-1]; got.Operation != "op-a" || got.Try != 3 {
		t.Errorf("got operation %q, try %d, want op-a, 3", got.Operation, got.Try)
	}
}

func TestByteTimesAreMerged(t *testing.T) {
	for _, row := range []struct {
		name  string
		whole bool
		want  Attempt
	}{
		{"whole reply", true, Attempt{ReplyFirst: 20, ReplyLast: 30, Gone: 40}},
		{"a cut reply has no last byte", false, Attempt{ReplyFirst: 20, Gone: 40}},
	} {
		t.Run(row.name, func(t *testing.T) {
			j, times := New(clock.Start()), &fixed{wire.Times{FirstByte: 10}}
			a := j.Begin(Attempt{}, true, times)
			if row.whole {
				j.Answered(a.Number)
			}
			times.times = wire.Times{FirstByte: 10, ReplyFirst: 20, ReplyLast: 30, Gone: 40}
			got := j.Record().Attempts[0]
			want := row.want
			want.Number, want.Try, want.Header, want.FirstByte, want.HeadRead = 1, 1, http.Header{}, 10, got.HeadRead
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("attempt (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecordIsACopy(t *testing.T) {
	j := New(clock.Start())
	j.Begin(Attempt{Operation: "op-a"}, true, &fixed{})
	before := j.Record()
	j.Apply(Effect{Attempt: 1, What: "payment"})
	j.Decide(Decision{Attempt: 1, Fault: "reset after-commit"})
	j.Update(1, func(a *Attempt) { a.Status = 201 })
	if a := before.Attempts[0]; a.Status != 0 || a.Effect != 0 || len(before.Effects)+len(before.Decisions) != 0 {
		t.Errorf("got a record that changed after it was taken: %+v", before)
	}
	after := j.Record()
	if a, e := after.Attempts[0], after.Effects[0]; a.Effect != e.Number || a.Committed != e.At || !e.At.Happened() {
		t.Errorf("got attempt %+v, want effect %+v in it", a, e)
	}
}

// An empty journal is written as empty lists, so that readers in any language can loop over them.
func TestEmptyRecord(t *testing.T) {
	got, err := json.Marshal(New(clock.Start()).Record())
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"attempts":[],"effects":[],"decisions":[],"connections":[]}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRecordsAreConsistentUnderTraffic(t *testing.T) {
	const writers, each = 8, 200
	j := New(clock.Start())
	var writing, reading sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for range each {
				a := j.Begin(Attempt{Operation: faults.OperationID(fmt.Sprint("op-", w%2))}, true, &fixed{})
				j.Decide(Decision{Attempt: a.Number, Fault: "reset after-commit", Result: Fired})
				j.Apply(Effect{Attempt: a.Number})
				j.Answered(a.Number)
			}
		})
	}
	written := make(chan struct{})
	reading.Go(func() {
		for done := false; !done; {
			select {
			case <-written:
				done = true
			default:
			}
			check(t, j.Record())
		}
	})
	writing.Wait()
	close(written)
	reading.Wait()
	if got, want := len(j.Record().Attempts), writers*each; got != want {
		t.Errorf("got %d attempts, want %d", got, want)
	}
}

// check looks for what must hold in every record.
func check(t *testing.T, r Record) {
	tries := map[faults.OperationID]int{}
	for i, a := range r.Attempts {
		tries[a.Operation]++
		if a.Number != i+1 || a.Try != tries[a.Operation] {
			t.Errorf("attempt at %d: got number %d, try %d, want %d, %d", i, a.Number, a.Try, i+1, tries[a.Operation])
		}
		if a.Effect > 0 && r.Effects[a.Effect-1].Attempt != a.Number {
			t.Errorf("attempt %d: its effect belongs to attempt %d", a.Number, r.Effects[a.Effect-1].Attempt)
		}
	}
	for i, e := range r.Effects {
		if e.Number != i+1 || r.Attempts[e.Attempt-1].Effect != e.Number {
			t.Errorf("effect at %d: got number %d, and its attempt has effect %d", i, e.Number, r.Attempts[e.Attempt-1].Effect)
		}
	}
}

func TestWhatIsKeptOfAHead(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	many := http.Header{}
	for i := range 10_000 {
		many[fmt.Sprintf("X-%05d", i)] = []string{""}
	}
	for _, row := range []struct {
		name    string
		header  http.Header
		kept    int // fields
		dropped bool
		mark    string // a field that is kept
	}{
		{"common", http.Header{"Idempotency-Key": {"k"}, "User-Agent": {"shop"}}, 2, false, "User-Agent"},
		{"one huge field does not push out the others", http.Header{"A-Huge": {long}, "Idempotency-Key": {"k"}}, 1, true, "Idempotency-Key"},
		{"a huge name", http.Header{long: {"v"}, "Idempotency-Key": {"k"}}, 1, true, "Idempotency-Key"},
		{"many small fields", many, MaxFields, true, "X-00000"},
		{"many lines of one field", http.Header{"X": make([]string, 10_000), "Idempotency-Key": {"k"}}, 1, true, "Idempotency-Key"},
		{"a field is kept whole or not at all", http.Header{"B": {strings.Repeat("x", MaxHead-100), "second"}, "C": {strings.Repeat("x", 200)}}, 1, true, "C"},
	} {
		t.Run(row.name, func(t *testing.T) {
			total := 0
			for name, values := range row.header {
				total += fieldBytes(name, values)
			}
			got := New(clock.Start()).Begin(Attempt{Header: row.header}, true, &fixed{})
			kept := 0
			for name, values := range got.Header {
				kept += fieldBytes(name, values)
				if diff := cmp.Diff(row.header[name], values); diff != "" {
					t.Errorf("%s was changed (-sent +kept):\n%s", name, diff)
				}
			}
			if len(got.Header) != row.kept || (got.HeaderDropped > 0) != row.dropped || kept+got.HeaderDropped != total {
				t.Errorf("got %d fields of %d bytes, %d dropped, want %d fields, and %d bytes together", len(got.Header), kept, got.HeaderDropped, row.kept, total)
			}
			if _, ok := got.Header[row.mark]; !ok {
				t.Errorf("got no %s, want it kept", row.mark)
			}
		})
	}
}

func TestBounded(t *testing.T) {
	for _, row := range []struct {
		text string
		n    int
		want string
	}{
		{"short", 5, "short"},
		{"longer than that", 10, "longer …"},
		{"", 10, ""},
	} {
		if got := Bounded(row.text, row.n); got != row.want {
			t.Errorf("%q, %d: got %q, want %q", row.text, row.n, got, row.want)
		}
	}
}
