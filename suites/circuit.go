package suites

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/onsi/gomega/types"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// circuit is what a client claims of its breaker.
type circuit struct {
	threshold        int
	window, cooldown time.Duration // window 0 = it counts calls, however old they are
	probes           int
}

// circuit reads the claims. A breaker of which they say too little is not tested: then it is not known when it should be open.
func (b *Bench) circuit() (c circuit, ok bool) {
	claims := b.Client.Claims.Breaker
	if claims.Threshold == 0 || claims.CooldownMS == 0 {
		b.NotTested("nothing is known of the client's breaker: claim breaker with its threshold and cooldown_ms")
		return circuit{}, false
	}
	return circuit{
		threshold: claims.Threshold,
		window:    time.Duration(claims.WindowMS) * time.Millisecond,
		cooldown:  time.Duration(claims.CooldownMS) * time.Millisecond,
		probes:    max(1, claims.Probes),
	}, true
}

// beginning gives the operations of the cases whose names begin so.
func beginning(t transcript.Transcript, prefix string) []transcript.Op {
	return slices.DeleteFunc(t.Ops(), func(op transcript.Op) bool { return !strings.HasPrefix(op.Case, prefix) })
}

// refused tells whether a client did not send an operation at all, and said so. One that used up its time was not refused: it waited for a place or for
// a connection, and did not get it.
func refused(op transcript.Op) bool {
	inTime := op.Deadline == 0 || op.Elapsed() < time.Duration(op.Deadline)/2
	return len(op.Attempts) == 0 && op.Outcome != drive.OK && op.Trouble == "" && inTime
}

// letThrough is the opposite.
func letThrough(op transcript.Op) bool { return !refused(op) }

// BeLetThrough holds for an operation that no guard of the client refused.
func BeLetThrough() types.GomegaMatcher {
	return matcher{
		needed: "the call let through",
		holds:  letThrough,
		seen:   func(op transcript.Op) string { return "it was refused: the client said " + said(op) },
	}
}

// opened tells when a breaker has to be open, by the operations that failed: it may count every attempt, or only what became of a call, and by the
// end of the threshold-th failed operation it has counted enough either way. A tenth of the window is left out, since many breakers forget a whole slice of it at once. Where the failures never suffice, that
// is noted, and ok is false.
func (b *Bench) opened(c circuit, ops []transcript.Op) (at clock.Moment, ok bool) {
	var ends []clock.Moment
	for _, op := range ops {
		if len(op.Attempts) > 0 && op.Outcome != drive.OK && op.Trouble == "" {
			ends = append(ends, op.Ended)
		}
	}
	slices.Sort(ends)
	for i := c.threshold - 1; i < len(ends); i++ {
		if earliest := ends[i-c.threshold+1]; c.window == 0 || ends[i].Sub(earliest) < c.window*9/10 {
			return ends[i].Add(dispatchSlack + b.grace), true
		}
	}
	b.NotTested("%s: %s came to nothing, and the client's breaker opens at %d%s", name(ops), count(len(ends), "call"), c.threshold, within(c.window))
	return clock.Never, false
}

// tripped gives the client's circuit and those of all operations that were asked for once its breaker had to be open. Where that is not known, or never
// came, it is noted, and ok is false.
func (b *Bench) tripped(ops []transcript.Op) (c circuit, later []transcript.Op, ok bool) {
	if c, ok = b.circuit(); !ok {
		return c, nil, false
	}
	at, ok := b.opened(c, ops)
	return c, after(ops, at), ok
}

func within(window time.Duration) string {
	if window == 0 {
		return ""
	}
	return " within " + show(window)
}

// after gives the operations that were asked for after a moment. What was under way then is not among them.
func after(ops []transcript.Op, at clock.Moment) []transcript.Op {
	return slices.DeleteFunc(slices.Clone(ops), func(op transcript.Op) bool { return op.Began <= at })
}

// sent gives the operations that reached the fake, by their first attempts.
func sent(ops []transcript.Op) []transcript.Op {
	some := slices.DeleteFunc(slices.Clone(ops), func(op transcript.Op) bool { return len(op.Attempts) == 0 })
	slices.SortFunc(some, func(a, b transcript.Op) int { return cmp.Compare(a.Attempts[0].FirstByte, b.Attempts[0].FirstByte) })
	return some
}

// wasOpen tells whether a breaker was seen to refuse calls, so that there is something to judge of what came after.
func (b *Bench) wasOpen(c circuit, ops []transcript.Op) bool {
	at, ok := b.opened(c, ops)
	if ok && !slices.ContainsFunc(after(ops, at), refused) {
		b.NotTested("%s: the client's breaker did not open; CB-01 is about that", name(ops))
		return false
	}
	return ok
}

// staysShut expects no more calls than there may be probes to get through an open breaker in any one cooldown. All of ops fail, so none of them closes
// it.
func (b *Bench) staysShut(c circuit, ops []transcript.Op) {
	b.expected++
	through := sent(ops)
	for _, op := range ops {
		b.judged[op.Case] = true
	}
	for i := c.probes; i < len(through); i++ {
		first, next := through[i-c.probes], through[i]
		if gap := next.Attempts[0].FirstByte.Sub(first.Attempts[0].FirstByte); gap < c.cooldown-transcript.TimerSlack {
			b.about(next)
			b.breach(
				fmt.Sprintf("once open, at most %s in %s", count(c.probes, "call"), show(c.cooldown)),
				fmt.Sprintf("%s %s after another one; %d of %d got through", count(1, "call"), show(gap), len(through), len(ops)))
			return
		}
	}
}
