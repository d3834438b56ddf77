package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func placesComeBack() Rule {
	return Rule{
		ID: "BH-03", Level: Must, Family: Bulkheads, Profile: Isolating,
		Says:   "every call gives its place back, however it ends, and waiting for a place is within the deadline",
		Source: "Nygard, Release It!, Bulkheads and Timeouts; AWS Builders' Library, Timeouts, retries and backoff with jitter; gRFC A6 (the deadline spans everything)",
		Under:  "calls-that-end-badly",
		Needs:  drive.Bulkhead, Declared: true, Lasting: true,
		Why:   "Each time-out takes a place with it. After a bad night all are gone, and the client refuses a dependency that is well, until somebody restarts it. And a queue that knows no deadline answers callers who have long left.",
		Right: "Give the place back in the one spot that every end passes (finally, defer, with). Wait for it with the operation's own deadline and cancellation.",
		Holds: func(b *Bench, t transcript.Transcript) {
			limit, ok := b.places()
			before, last := t.In("before"), t.In("after")
			if !ok || !b.crowded(before, limit) {
				return
			}
			for _, op := range slices.Concat(t.In("timed out"), t.In("waiting")) {
				b.Within(op, "the answer", op.Elapsed(), time.Duration(op.Deadline))
			}
			if b.Client.Has(drive.Breaker) && !slices.ContainsFunc(t.In("well again"), letThrough) {
				b.NotTested("after: the client's breaker was still open when the dependency was well again")
				return
			}
			b.asManyAsBefore(min(limit, mostAtOnce(before)), last)
		},
	}
}

// asManyAsBefore expects as many operations to be under way at once as there were before other calls ended badly.
func (b *Bench) asManyAsBefore(places int, ops []transcript.Op) {
	most := mostAtOnce(ops)
	b.Measure("at once, before and after", fmt.Sprintf("%d and %d", places, most))
	switch {
	case len(ops) == 0 || places == 0:
		b.NotTested("after: no attempt came before calls ended badly")
	case most < places && b.doubt >= leastTolerance:
		b.Doubt("after: %d calls at once, %d before; the machine was up to %s late, and may have kept them apart", most, places, show(b.doubt))
	default:
		b.expectsOf(ops[0])
		if most < places {
			b.breach(fmt.Sprintf("%d calls at once, as before", places), fmt.Sprintf("%d: %s did not come back", most, count(places-most, "place")))
		}
	}
}
