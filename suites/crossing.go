package suites

import (
	"slices"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// withoutCrossings leaves out the attempts of a client that hedges which may have been on their way when the reply came that they seem to follow: as
// retries they would be at once, or against what the reply asked for, and they are none. What is about hedges itself looks at all of them.
func (b *Bench) withoutCrossings(t transcript.Transcript) transcript.Transcript {
	if !b.Client.Has(drive.Hedging) || b.rule.Family == Hedges || b.rule.Family == Budgets {
		return t
	}
	crossed := map[int]bool{}
	for _, op := range t.Ops() {
		for _, k := range b.crossings(op) {
			crossed[op.Attempts[k-1].Number] = true
		}
	}
	if len(crossed) > 0 {
		t.Attempts = slices.DeleteFunc(slices.Clone(t.Attempts), func(a journal.Attempt) bool { return crossed[a.Number] })
	}
	return t
}

// crossings gives the attempts, counted from 1, that came hard on the heels of a reply, and late enough to be hedges: each a delay after the
// one before it, the first a delay after the call. One with another key is no copy of anything.
func (b *Bench) crossings(op transcript.Op) (list []int) {
	delay := time.Duration(b.Client.Claims.Hedge.DelayMS) * time.Millisecond
	way := max(dispatchSlack, transcript.Starved*b.doubt) + b.grace
	for i, wait := range op.Waits() {
		next := op.Attempts[i+1]
		since := next.FirstByte.Sub(op.Began)
		if delay == 0 && op.Over(i+1).Sub(op.Attempts[i].FirstByte) <= way {
			continue // answered at once: a short wait after it is no hedge, though the delay is not claimed
		}
		if wait <= way && next.Key == op.Attempts[i].Key && since >= time.Duration(i+1)*delay-transcript.TimerSlack {
			list = append(list, i+2)
		}
	}
	return list
}
