package suites_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// A seed repeats a play exactly in the virtual lab, where nothing else is left to chance, for a client whose own randomness has a seed. One operation
// at a time, the transcripts are equal to the byte. Of operations at the same moment, the order is the scheduler's: with it the numbers in the journal, and
// which connection each of them gets.
func TestASeedRepeatsAPlay(t *testing.T) {
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	crowds := []scenarios.Name{"replies-lost-at-random", "unavailable-once", "unavailable-for-ever", "same-hint-for-all"}
	for _, s := range all {
		alone := s.Order == scenarios.Sequential
		if !alone && !slices.Contains(crowds, s.Name) {
			continue
		}
		t.Run(string(s.Name), func(t *testing.T) {
			t.Parallel()
			first, again, other := playedWith(t, s, 7), playedWith(t, s, 7), playedWith(t, s, 8)
			if x, y := inJSON(t, first), inJSON(t, again); alone && x != y {
				t.Errorf("one operation at a time, and yet the transcripts differ:\n%s\n%s", x, y)
			}
			a, b := first.Ops(), again.Ops()
			for i := range a {
				if x, y := inJSON(t, unnumbered(a[i])), inJSON(t, unnumbered(b[i])); x != y {
					t.Errorf("%s differs:\n%s\n%s", a[i].ID, x, y)
					break
				}
			}
			if len(a) > 0 && a[0].ID == other.Ops()[0].ID {
				t.Error("another seed gives the same operations")
			}
		})
	}
}

// unnumbered is an operation without what depends on the order of things that happen at the same moment.
func unnumbered(op transcript.Op) transcript.Op {
	op.Err = "" // it names ports
	for i := range op.Attempts {
		a := &op.Attempts[i]
		a.Number, a.Connection, a.Use, a.Effect = 0, 0, 0, 0
		if a.ReplyLast.Happened() {
			a.Gone = clock.Never // when its connection was closed, which others used after it
		}
	}
	for i := range op.Effects {
		e := &op.Effects[i]
		e.Number, e.Attempt, e.Resource = 0, 0, ""
	}
	for i := range op.Decisions {
		op.Decisions[i].Attempt, op.Decisions[i].Connection = 0, 0
	}
	return op
}

func inJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func playedWith(t *testing.T, s scenarios.Scenario, seed uint64) (played transcript.Transcript) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := steady.Default()
		p.Seed = seed
		var err error
		if played, err = lab.Virtual(clients.Steady(p), seed).Play(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	})
	return played
}
