package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func limitedConcurrency() Rule {
	return Rule{
		ID: "BH-01", Level: Should, Family: Bulkheads, Profile: Isolating,
		Says:   "no more calls to one dependency are under way at once than the bulkhead has places",
		Source: "Nygard, Release It!, Bulkheads; Envoy documentation, Circuit breaking (max_requests); RFC 9112, 9.4 (limit open connections)",
		Under:  "slow-for-a-crowd",
		Needs:  drive.Bulkhead, Declared: true, Lasting: true,
		Why:   "A dependency that takes ten times as long holds ten times as many threads and connections: all there are. And it gets the whole crowd at once, when it has the least to spare.",
		Right: "Count the calls under way for each dependency, retries among them. Who finds no place waits for a bounded time, or is refused.",
		Holds: func(b *Bench, t transcript.Transcript) {
			limit, ok := b.places()
			ops := t.In()
			if !ok || !b.crowded(ops, limit) {
				return
			}
			if len(sent(ops)) == 0 {
				b.NotTested("%s: no attempt came", name(ops))
				return
			}
			most := mostAtOnce(ops)
			b.expectsOf(ops[0])
			b.Measure("at once", fmt.Sprintf("%d of %d", most, len(ops)))
			if most > limit {
				b.found("at most "+count(limit, "call")+" at once", fmt.Sprintf("%d of %d", most, len(ops)))
			}
		},
	}
}
