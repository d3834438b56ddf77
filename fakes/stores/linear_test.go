package stores

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// step is one call that a client made of the store.
type step struct {
	do    string // claim, commit, release
	key   Key
	print Print
	name  string // of the effect, for commit
}

// keyState is a key's state in the sequential model: comparable, as porcupine wants it.
type keyState struct {
	word  string
	print Print
	saved string
}

// keyedStore is a store as one client at a time would see it; each key stands for itself.
var keyedStore = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[Key][]porcupine.Operation{}
		for _, o := range history {
			k := o.Input.(step).key
			byKey[k] = append(byKey[k], o)
		}
		var parts [][]porcupine.Operation
		for _, part := range byKey {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return keyState{} },
	Step: func(state, input, output any) (bool, any) {
		s, in, out := state.(keyState), input.(step), output.(string)
		switch {
		case in.do == "commit":
			return s.word == "running", keyState{"done", s.print, in.name}
		case in.do == "release":
			return s.word == "running", keyState{}
		case s.word == "":
			return out == "granted", keyState{"running", in.print, ""}
		case s.print != in.print:
			return out == ErrMismatch.Error(), s
		case s.word == "running":
			return out == ErrRunning.Error(), s
		}
		return out == "saved "+s.saved, s
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %v", input, output) },
}

// However many clients come at once, what each of them sees can be put into one order in which each key was applied by one of them.
func TestMemoryIsLinearizable(t *testing.T) {
	const clients, rounds, checkFor = 16, 40, time.Minute
	b := newBench()
	began := time.Now()
	histories := make([][]porcupine.Operation, clients)
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			chance := rand.New(rand.NewPCG(1, uint64(c)))
			called := func(in step, call func() string) {
				from := time.Since(began)
				out := call()
				histories[c] = append(histories[c], porcupine.Operation{
					ClientId: c, Input: in, Output: out, Call: int64(from), Return: int64(time.Since(began)),
				})
			}
			for i := range rounds {
				in := step{do: "claim", key: Key{Value: fmt.Sprint(i % 10)}, print: Print{byte(chance.IntN(8) / 7)}}
				var claim Claim
				called(in, func() string {
					granted, saved, err := b.Claim(context.Background(), in.key, in.print)
					claim = granted
					return did(granted, saved, err)
				})
				switch {
				case claim == nil:
				case chance.IntN(4) == 0:
					in.do, in.name = "commit", fmt.Sprintf("client %d, round %d", c, i)
					called(in, func() string { return fmt.Sprint(claim.Commit(context.Background(), work(in.name))) })
				default:
					in.do = "release"
					called(in, func() string { return fmt.Sprint(claim.Release(context.Background())) })
				}
			}
		})
	}
	all.Wait()
	var history []porcupine.Operation
	for _, h := range histories {
		history = append(history, h...)
	}
	if got := porcupine.CheckOperationsTimeout(keyedStore, history, checkFor); got != porcupine.Ok {
		t.Errorf("history of %d calls: got %s, want %s", len(history), got, porcupine.Ok)
	}
}
