package suites

import (
	"math"
	"time"

	"github.com/brownout-dev/brownout/suites/transcript"
)

// backsOff expects the waits of operations, taken together, to be what the client's own backoff gives. With full jitter a single wait may
// be zero, so it is the sum that is judged, against the least that chance leaves of it. A client that claims nothing is held to ten
// milliseconds a wait. Without a wait there is nothing to judge: then it says so, and gives false.
func (b *Bench) backsOff(ops []transcript.Op) bool { return b.waitsOut(ops, 1, maxWait) }

// waitsOut is backsOff for the waits from the first-th on. A wait of enough proves nothing against a client: one that is longer than any own backoff
// is left out, since who took a strange hint for what it may well mean has waited; and where the own backoff may be as long, no more than
// enough is asked of it.
func (b *Bench) waitsOut(ops []transcript.Op, first int, enough time.Duration) bool {
	var waited, sum, least, variance float64
	n, judged := 0, 0
	for op := range b.Reached(ops) {
		for i, w := range op.Waits() {
			if i+1 < first {
				continue
			}
			b.about(op)
			own := b.honest(op, i+1)
			if n++; w >= enough-transcript.TimerSlack && own.to < enough.Seconds() {
				continue
			}
			low, v := own.upTo(enough.Seconds())
			waited, sum = waited+w.Seconds(), sum+min(w, enough).Seconds()
			least, variance, judged = least+low, variance+v, judged+1
		}
	}
	if n == 0 {
		b.NotTested("%s: the client did not try again", name(ops))
		return false
	}
	b.expected++
	luck := luckiest
	if judged == 1 {
		luck = luckiestOne
	}
	atOnce := min(float64(judged)*notAtOnce.Seconds(), least/luck)
	floor := max(least-confidence*math.Sqrt(variance)-float64(judged)*transcript.TimerSlack.Seconds(), atOnce)
	if judged > 0 {
		b.Measure("waits", count(judged, "wait")+" of "+seconds(waited/float64(judged))+" on average")
	}
	if sum < floor {
		b.breach("the own backoff: "+seconds(floor)+" or more in all", seconds(sum)+" in "+count(judged, "wait"))
	}
	return true
}

// name is the case that operations belong to.
func name(ops []transcript.Op) string {
	if len(ops) == 0 {
		return "no operation"
	}
	return ops[0].Case
}

// comesBack finds clients that a hint has sent to sleep for good: a negative wait is for ever to some timers. It proves nothing of a client
// that does come back.
func (b *Bench) comesBack(ops []transcript.Op) {
	for _, op := range ops {
		if op.GaveUp && len(op.Attempts) > 0 {
			b.about(op)
			b.found("an answer by "+show(time.Duration(op.Deadline)), "none after "+show(op.Elapsed()))
		}
	}
}

// What a wait must be where a client claims no backoff, and what no wait is on average under any claim: shorter is "at once".
const (
	unclaimedFloor = 10 * time.Millisecond
	notAtOnce      = time.Millisecond
	// A few waits of full jitter may be this part of their mean; where the mean is a millisecond, that is not "at once". The chance is 2e-4 for two
	// waits and less for more; a single one is below it one time in a hundred, and so has a bound of its own, for 5e-4.
	luckiest    = 50.0
	luckiestOne = 1000.0
)

// honest gives what the k-th wait of a client that does what it claims is drawn from.
func (b *Bench) honest(op transcript.Op, k int) span {
	if s, claimed := b.drawn(op, k); claimed {
		return s
	}
	return span{unclaimedFloor.Seconds(), unclaimedFloor.Seconds()}
}
