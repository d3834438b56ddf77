package suites

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func countsInAWindow() Rule {
	return Rule{
		ID: "CB-06", Level: Should, Family: Breakers, Profile: Isolating,
		Says:   "failures count within a window: a few that are far apart do not open the breaker, and a half of many calls does",
		Source: "Hystrix wiki, How it Works (rolling window, request volume threshold); resilience4j documentation, CircuitBreaker (minimum number of calls, failure rate)",
		Under:  "fails-now-and-then",
		Needs:  drive.Breaker, Declared: true, Lasting: true,
		Why:   "Five failures in a night with hardly any traffic are no outage, yet the first customers of the morning are turned away. And a dependency that fails every second call never fails five times in a row.",
		Right: "Count failures and calls of a sliding window. Open at a share of failures, and only above a minimum of calls.",
		Holds: func(b *Bench, t transcript.Transcript) {
			c, ok := b.circuit()
			if !ok {
				return
			}
			b.keepsSparse(c, t.In("now and then"))
			b.opensAtHalf(c, slices.Concat(beginning(t, "failure "), beginning(t, "success ")))
		},
	}
}

// sparse is how many of the scenario's rare failures can lie in one window: one each 0.45 windows, so three, and a fourth where a window's edge is
// blurred.
const sparse = 4

// keepsSparse expects every one of some failures that are far apart to be sent. The first of them that was not is the finding.
func (b *Bench) keepsSparse(c circuit, ops []transcript.Op) {
	switch {
	case len(ops) == 0: // skipped, which is noted
		return
	case c.threshold <= sparse || c.threshold > len(ops):
		b.NotTested("%s: a breaker that opens at %d failures is not tried by %d, of which up to %d lie in its window", name(ops), c.threshold, len(ops), sparse)
		return
	}
	for i, op := range ops {
		late := i > 0 && op.Began.Sub(ops[i-1].Began) < c.window/3
		if late {
			b.Doubt("%s: the calls came %s apart, closer than this play wanted", op.Case, show(op.Began.Sub(ops[i-1].Began)))
			return
		}
		b.Expect(op).To(BeLetThrough())
	}
}

// opensAtHalf expects a breaker to be open at some time, when of many calls in a row every second one fails.
func (b *Bench) opensAtHalf(c circuit, ops []transcript.Op) {
	at, ok := b.opened(c, ops)
	if !ok {
		return
	}
	slices.SortFunc(ops, func(x, y transcript.Op) int { return cmp.Compare(x.Began, y.Began) })
	b.opensToSome(c, ops, after(ops, at), "calls failed, half of all")
}

// opensToSome expects a breaker to be open at some time after enough of ops failed. Where no later call was left to show it, that is noted.
func (b *Bench) opensToSome(c circuit, ops, later []transcript.Op, failed string) {
	if len(later) == 0 {
		b.NotTested("%s: no call was left when the client's breaker had to be open", name(ops))
		return
	}
	b.expectsOf(ops[0])
	if !slices.ContainsFunc(ops, refused) {
		b.breach(
			fmt.Sprintf("an open breaker after %d %s%s", c.threshold, failed, within(c.window)),
			fmt.Sprintf("none of %d calls refused, %d of them after that", len(ops), len(later)))
	}
}
