package suites

import (
	"iter"
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Reached goes over the operations of which at least one attempt came, and notes the others as not tested.
func (b *Bench) Reached(ops []transcript.Op) iter.Seq[transcript.Op] {
	return func(yield func(transcript.Op) bool) {
		for _, op := range ops {
			if len(op.Attempts) == 0 {
				b.NotTested("%s: no attempt came; the client said %s", op.Case, said(op))
			} else if !yield(op) {
				return
			}
		}
	}
}

// Repeated goes over the operations that were attempted more than once; without any the rule is vacuous.
func (b *Bench) Repeated(ops []transcript.Op) iter.Seq[transcript.Op] {
	return func(yield func(transcript.Op) bool) {
		some, reached := false, false
		for op := range b.Reached(ops) {
			reached = true
			if len(op.Attempts) > 1 {
				some = true
				if !yield(op) {
					return
				}
			}
		}
		if reached && !some {
			b.Vacuous("the client never sent a second attempt")
		}
	}
}

// Repeatable goes over the operations that a client may send again, if it retries at all: its reads, and its writes that carry a key. The
// others it notes as not tested.
func (b *Bench) Repeatable(ops []transcript.Op) iter.Seq[transcript.Op] {
	return func(yield func(transcript.Op) bool) {
		if !b.retries(ops) {
			b.NotTested(noRetries)
			return
		}
		for op := range b.Reached(ops) {
			if op.KeyHeader != "" && op.Attempts[0].Key == "" {
				b.NotTested("%s: the client sent no key, so stopping is right", op.Case)
			} else if !yield(op) {
				return
			}
		}
	}
}

// noRetries is why nothing can be said of a client that does not say that it retries, and did not in this play; in others it may have.
const noRetries = "the client does not say that it retries (feature retries), and did not here"

// wantsRetries makes what held prove nothing for a client that was not seen to retry.
func (b *Bench) wantsRetries(ops []transcript.Op) {
	if !b.retries(ops) {
		b.Vacuous(noRetries)
	}
}

// retries tells whether the client is known to retry: it says so, or was seen to.
func (b *Bench) retries(ops []transcript.Op) bool {
	return b.Client.Has(drive.Retries) ||
		slices.ContainsFunc(ops, func(op transcript.Op) bool { return len(op.Attempts) > 1 })
}
