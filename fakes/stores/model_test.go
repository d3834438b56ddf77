package stores

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/brownout-dev/brownout/faults/clock"
)

// model is what a store has to be like, as simply as it can be said: one state for each key.
type model struct {
	state map[Key]modelState
}

type modelState struct {
	word  string // running, done; nothing at all is the zero state
	print Print
	saved string
	until clock.Moment
}

// claim gives the words of [did].
func (m model) claim(k Key, p Print, now clock.Moment) string {
	s := m.state[k]
	if s.word == "done" && s.until <= now {
		s = modelState{}
	}
	switch {
	case s.word == "":
		m.state[k] = modelState{word: "running", print: p}
		return "granted"
	case s.print != p:
		return ErrMismatch.Error()
	case s.word == "running":
		return ErrRunning.Error()
	}
	return "saved " + s.saved
}

// Whatever is done in whatever order, the store does what the model does, and each commit is exactly one effect.
func TestMemoryBehavesAsItsModel(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		b, m := newBench(), model{state: map[Key]modelState{}}
		held := map[Key]Claim{}
		commits := 0
		keys := rapid.SampledFrom([]Key{{Value: "a"}, {Value: "b"}, {Caller: "c", Value: "a"}})
		holding := func(t *rapid.T) (Key, Claim) {
			for _, k := range []Key{{Value: "a"}, {Value: "b"}, {Caller: "c", Value: "a"}} {
				if held[k] != nil && rapid.Bool().Draw(t, "this one") {
					return k, held[k]
				}
			}
			t.Skip("nobody holds a claim")
			return Key{}, nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"claim": func(t *rapid.T) {
				k, p := keys.Draw(t, "key"), Print{rapid.Byte().Draw(t, "print") % 2}
				claim, saved, err := b.Claim(ctx, k, p)
				if got, want := did(claim, saved, err), m.claim(k, p, b.now); got != want {
					t.Fatalf("claim %v %v: got %s, want %s", k, p[0], got, want)
				}
				if claim != nil {
					held[k] = claim
				}
			},
			"commit": func(t *rapid.T) {
				k, claim := holding(t)
				commits++
				name := fmt.Sprint("effect ", commits)
				if _, err := claim.Commit(ctx, work(name)); err != nil {
					t.Fatal(err)
				}
				m.state[k] = modelState{word: "done", print: m.state[k].print, saved: name, until: b.now.Add(keptFor)}
				delete(held, k)
			},
			"release": func(t *rapid.T) {
				k, claim := holding(t)
				if err := claim.Release(ctx); err != nil {
					t.Fatal(err)
				}
				delete(m.state, k)
				delete(held, k)
			},
			"time": func(t *rapid.T) {
				b.now = b.now.Add(time.Duration(rapid.Int64Range(1, int64(keptFor)*2).Draw(t, "later")))
			},
			"": func(t *rapid.T) {
				if got := len(b.effects); got != commits {
					t.Fatalf("got %d effects after %d commits", got, commits)
				}
			},
		})
	})
}
