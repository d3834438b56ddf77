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

// foundByLookUp notes a write as not tested whose client asked what had become of it, found it done, and so had no reason to send it again.
func (b *Bench) foundByLookUp(op transcript.Op) bool {
	found := slices.ContainsFunc(op.LookUps, func(a journal.Attempt) bool { return succeeded(a.Status) })
	if !found || len(op.Attempts) != 1 || len(op.Effects) == 0 {
		return false
	}
	b.NotTested("%s: the client looked the write up, and found it done", op.Case)
	return true
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
