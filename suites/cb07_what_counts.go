package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func whatCounts() Rule {
	return Rule{
		ID: "CB-07", Level: Must, Family: Breakers, Profile: Isolating,
		Says:   "a caller's own errors do not open the breaker, and silence does",
		Source: "gRFC A6, Throttling Retry Attempts and Hedged RPCs (only retryable statuses count); Azure Architecture Center, Circuit Breaker pattern (types of exceptions); Nygard, Release It!, Slow Responses",
		Under:  "silent-then-the-callers-fault",
		Needs:  drive.Breaker, Declared: true, Lasting: true,
		Why:   "A client that asks for deleted customers a few times locks everybody out of a sound dependency. And a dependency that only falls silent, which hurts its callers most, is never cut off.",
		Right: "Count what the dependency could not do: 5xx, 429, broken connections, time-outs. A 4xx is an answer: the dependency is well.",
		Holds: func(b *Bench, t transcript.Transcript) {
			c, ok := b.circuit()
			if !ok {
				return
			}
			silent := t.In("silent")
			if at, ok := b.opened(c, silent); ok {
				b.opensToSome(c, silent, after(silent, at), "calls got no answer")
			}
			if last := t.In("well again"); len(last) > 0 && refused(last[len(last)-1]) {
				b.NotTested("the client's breaker was still open when the dependency was well again; CB-04 is about that")
				return
			}
			for _, name := range []string{"404 to a read", "422 to a write", "400 to a write"} {
				b.countsNothing(c, t.In(name))
			}
		},
	}
}

// countsNothing expects all of many operations to be sent.
func (b *Bench) countsNothing(c circuit, ops []transcript.Op) {
	if len(ops) <= c.threshold {
		b.NotTested("%s: a breaker that opens at %d is not tried by %d", name(ops), c.threshold, len(ops))
		return
	}
	for _, op := range ops {
		b.Expect(op).To(BeLetThrough())
	}
}
