package suites

import (
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// loserEnds is how soon after a success the attempts beside it must be left.
const loserEnds = 100 * time.Millisecond

func boundedHedges() Rule {
	return Rule{
		ID: "HG-02", Level: Must, Family: Hedges, Profile: Polite,
		Says:   "hedges come after their delay, are no more than allowed, end by the deadline, and end with the first success",
		Source: "gRFC A6, Hedging Policy (maxAttempts, hedgingDelay; outstanding hedges are cancelled when one succeeds)",
		Under:  "silent-at-first",
		Needs:  drive.Hedging, Declared: true,
		Why: "A hedge that comes early doubles the load all day, for answers that were about to come. One that goes on when the answer is there " +
			"keeps the slow machine busy, with work that nobody waits for.",
		Right: "Set the delay to what nineteen answers in twenty take. Give all attempts of an operation one context, and cancel it with the first success.",
		Holds: func(b *Bench, t transcript.Transcript) {
			hedged := false
			for op := range b.Reached(t.In()) {
				hedged = hedged || len(b.hedges(op)) > 0
				b.hedgesInTime(op)
				b.hedgesFew(op)
				b.losersEnd(op)
			}
			for op := range b.Reached(t.In("silence")) {
				b.endsInTime(op)
			}
			if !hedged {
				b.Vacuous("the client did not hedge a read that was not answered")
			}
		},
	}
}

// hedgesInTime expects each attempt that came while all earlier ones were unanswered to come its share of delays after the call, and a delay after
// the one before it. The first is exact; the second allows for the way to the fake, which may take longer for the first attempt.
func (b *Bench) hedgesInTime(op transcript.Op) {
	delay := time.Duration(b.Client.Claims.Hedge.DelayMS) * time.Millisecond
	for k := 1; k < len(op.Attempts); k++ {
		next := op.Attempts[k].FirstByte
		for earlier := 1; earlier <= k; earlier++ {
			if !b.besides(op, earlier, k+1) {
				return // a failure may be followed at once
			}
		}
		since, gap := next.Sub(op.Began), next.Sub(op.Attempts[k-1].FirstByte)
		way := max(dispatchSlack, transcript.Starved*b.doubt)
		b.expectsOf(op)
		if since < time.Duration(k)*delay-transcript.TimerSlack || gap < delay-way {
			b.breach(fmt.Sprintf("attempt %d, while none was answered, %s after the call, and %s after the one before it", k+1, show(time.Duration(k)*delay), show(delay)),
				fmt.Sprintf("%s after the call, %s after the one before", show(since), show(gap)))
		}
	}
}

// hedgesFew expects no more attempts together than the client allows itself, nor more in all.
func (b *Bench) hedgesFew(op transcript.Op) {
	most := b.Client.Claims.Hedge.MaxAttempts
	if most == 0 {
		b.NotTested("%s: how many hedges there may be is not claimed (hedge.max_attempts)", op.Case)
		return
	}
	b.expectsOf(op)
	if together := b.mostBesides(op); together > most {
		b.found("at most "+count(most, "attempt")+" under way together", fmt.Sprint(together))
		return
	}
	if allowed := b.allowed(op); allowed > 0 {
		b.Expect(op).To(BeSentAtMost(max(allowed, most)))
	}
}

// losersEnd expects the attempts beside a successful one to be left with its success, and none to come after it.
func (b *Bench) losersEnd(op transcript.Op) {
	winner, ok := won(op)
	if !ok {
		return
	}
	for i, a := range op.Attempts {
		over := op.Over(i + 1)
		switch {
		case a.Number == winner.Number:
		case a.FirstByte > winner.ReplyLast:
			b.Within(op, "the last attempt", a.FirstByte.Sub(winner.ReplyLast), 0)
		case over > winner.ReplyLast:
			b.Within(op, "the end of an attempt that lost", over.Sub(winner.ReplyLast), loserEnds)
		}
	}
}
