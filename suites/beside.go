package suites

import (
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// leastOverlap is how long two attempts must have been under way together to count as that: an attempt that its client has just left is seen to
// be over a little later, and the next one may come in between.
const leastOverlap = 50 * time.Millisecond

// overlap is how long attempt later, counted from 1, was under way together with an earlier one.
func overlap(op transcript.Op, earlier, later int) time.Duration {
	over := func(k int) clock.Moment {
		if m := op.Over(k); m.Happened() {
			return m
		}
		return op.Ended
	}
	return min(over(earlier), over(later)).Sub(op.Attempts[later-1].FirstByte)
}

// besides tells whether two attempts of an operation, counted from 1, were under way together. What the machine may have made of an end and a beginning
// does not count.
func (b *Bench) besides(op transcript.Op, earlier, later int) bool {
	return overlap(op, earlier, later) > max(leastOverlap, transcript.Starved*b.doubt)
}

// hedges gives the attempts, counted from 1, that came beside an earlier one.
func (b *Bench) hedges(op transcript.Op) (hedges []int) {
	for later := 2; later <= len(op.Attempts); later++ {
		for earlier := 1; earlier < later; earlier++ {
			if b.besides(op, earlier, later) {
				hedges = append(hedges, later)
				break
			}
		}
	}
	return hedges
}

// mostBesides is how many attempts of an operation were under way together at the most.
func (b *Bench) mostBesides(op transcript.Op) int {
	most := min(len(op.Attempts), 1)
	for later := 2; later <= len(op.Attempts); later++ {
		together := 1
		for earlier := 1; earlier < later; earlier++ {
			if b.besides(op, earlier, later) {
				together++
			}
		}
		most = max(most, together)
	}
	return most
}

// won gives the attempt that was the first to succeed; false without any.
func won(op transcript.Op) (first journal.Attempt, ok bool) {
	for _, a := range op.Attempts {
		if succeeded(a.Status) && a.ReplyLast.Happened() && (!ok || a.ReplyLast < first.ReplyLast) {
			first, ok = a, true
		}
	}
	return first, ok
}
