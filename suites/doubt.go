package suites

import (
	"slices"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// staysInDoubt expects the caller of a write that was applied, though no reply said so, to be told neither that it failed nor that it is
// done: only a look-up could show the latter.
func (b *Bench) staysInDoubt(op transcript.Op) {
	if slices.ContainsFunc(op.LookUps, func(a journal.Attempt) bool { return succeeded(a.Status) }) {
		b.Expect(op).To(EndIn(drive.OK, drive.Unknown, drive.Error))
		return
	}
	b.Expect(op).To(EndIn(drive.Unknown, drive.Error))
}

// stopAfter holds for an operation that was not sent again after its k-th attempt, counted from 0.
func stopAfter(k int, answer string) matcher {
	return matcher{
		needed: "no attempt after the " + answer,
		holds:  func(op transcript.Op) bool { return len(op.Attempts) <= k+1 },
		seen: func(op transcript.Op) string {
			said := count(len(op.Attempts)-k-1, "attempt") + " more"
			if lastOf(op).Key != op.Attempts[k].Key {
				said += ", with another key"
			}
			return said + effects(op)
		},
	}
}
