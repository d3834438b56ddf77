package suites

import (
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// restAskedFor is the Retry-After of the scenario.
const restAskedFor = 120 * time.Second

func paidHedges() Rule {
	return Rule{
		ID: "HG-03", Level: Should, Family: Hedges, Profile: Polite,
		Says:   "hedges are paid for by the retry budget, and end when the service asks for rest",
		Source: "gRFC A6, Throttling Retry Attempts and Hedged RPCs; gRFC A6, Pushback (a hedge is not sent before the time that was asked for)",
		Under:  "slow-for-everybody",
		Needs:  drive.Hedging, Declared: true,
		Why: "When one machine is slow, a hedge finds another one. When all are, because there is too much to do, every operation is hedged, and " +
			"there is twice or three times as much to do.",
		Right: "Take a token of the retry budget for each hedge, and stop hedging an operation once any of its attempts is told to come later.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In("told to rest by the first")) {
				b.rests(op, 1)
			}
			for op := range b.Reached(t.In("told to rest by the second")) {
				b.rests(op, 2)
			}
			b.hedgesArePaid(t.In("slow"))
		},
	}
}

// rests expects nothing of an operation to be sent after its n-th attempt, which was told to come later, for as long.
func (b *Bench) rests(op transcript.Op, n int) {
	most := b.Client.Claims.Hedge.MaxAttempts
	switch {
	case len(op.Attempts) < n:
		b.NotTested("%s: there was no attempt to tell it to", op.Case)
	case len(op.Attempts) == n && n == most:
		b.NotTested("%s: the client had no hedge left to send", op.Case)
	case len(op.Attempts) > n && soonest(op, n) <= max(dispatchSlack, transcript.Starved*b.doubt)+b.grace:
		b.Doubt("%s: attempt %d came %s after the reply that asked for rest: it may have been on its way by then", op.Case, n+1, show(soonest(op, n)))
	default:
		b.Expect(op).To(restAfter(n))
	}
}

// soonest is how long after attempt n, counted from 1, the next one came; as long as the rest that was asked for, where none did.
func soonest(op transcript.Op, n int) time.Duration {
	if len(op.Attempts) == n {
		return restAskedFor
	}
	return op.Attempts[n].FirstByte.Sub(op.Over(n))
}

// restAfter holds for an operation of which nothing came for the time that attempt n, counted from 1, was told to wait.
func restAfter(n int) matcher {
	return matcher{
		needed: "nothing for " + show(restAskedFor) + " after a reply that asked for it",
		holds:  func(op transcript.Op) bool { return soonest(op, n) >= restAskedFor-transcript.TimerSlack },
		seen: func(op transcript.Op) string {
			return fmt.Sprintf("attempt %d, %s after it", n+1, show(soonest(op, n)))
		},
	}
}

// hedgesArePaid expects the hedges of operations that are all slow to be within the retry budget. Without a budget nothing pays for them: then
// it is enough for a finding that most operations were hedged.
func (b *Bench) hedgesArePaid(ops []transcript.Op) {
	if b.Client.Has(drive.ProcessPerCall) {
		b.Vacuous("each call is a process of its own, so that no budget is shared")
		return
	}
	hedged := 0
	for op := range b.Reached(ops) {
		hedged += min(len(op.Attempts)-1, 1) // nothing fails here
	}
	switch {
	case hedged == 0:
		b.Vacuous("none of %s was hedged", count(len(ops), "slow operation"))
	case !b.Client.Has(drive.Budget):
		b.expectsOfAll()
		if 2*hedged > len(ops) {
			b.found("a budget that hedges are paid from", fmt.Sprintf("none is declared, and %d of %s were hedged", hedged, count(len(ops), "slow operation")))
		}
	default:
		if hedged == len(ops) {
			b.Vacuous("the budget had not to refuse any hedge: all of %s were hedged", count(len(ops), "slow operation"))
		}
		b.paysFor(ops, "hedges", ops[0].Began, b.saved())
	}
}
