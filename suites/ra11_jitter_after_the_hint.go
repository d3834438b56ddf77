package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Most waits that may lie within a fiftieth of a second of each other after one hint for all. A spread of 100 ms puts a fifth there.
const (
	hintWindow       = 20 * time.Millisecond
	mostAfterOneHint = 0.5
)

func jitterAfterTheHint() Rule {
	return Rule{
		ID: "RA-11", Level: Should, Family: RetryAfter, Profile: Polite,
		Says:   "clients that were given the same hint spread after it, and none comes before it",
		Source: "AWS Builders' Library, Timeouts, retries and backoff with jitter; RFC 9110, 10.2.3",
		Under:  "same-hint-for-all",
		Needs:  drive.Retries,
		Why:    "Everybody was told two seconds, and in two seconds everybody is there: the hint has made the herd.",
		Right:  "Add jitter on top of the hint.",
		Holds: func(b *Bench, t transcript.Transcript) {
			var waits []float64
			for op := range b.Repeated(t.In()) {
				b.Expect(op).To(WaitAtLeast(2*time.Second, 429, 503))
				waits = append(waits, op.Waits()[0].Seconds())
			}
			if len(waits) < fewestForSpread {
				b.Vacuous("only %s: want %d to tell jitter from chance", count(len(waits), "wait"), fewestForSpread)
				return
			}
			share := mostWithin(waits, hintWindow.Seconds())
			b.Measure("within "+show(hintWindow), fmt.Sprintf("%.0f %%", 100*share))
			sorted := slices.Sorted(slices.Values(waits))
			early := sorted[len(sorted)/4] - sorted[0] // which lateness reaches least
			b.subject = transcript.Op{}
			switch {
			case share > mostAfterOneHint:
				b.breach(fmt.Sprintf("at most %.0f %% of the waits within %s of each other", 100*mostAfterOneHint, show(hintWindow)), fmt.Sprintf("%.0f %%", 100*share))
			case early <= b.typical.Seconds():
				b.Doubt("the waits spread no more than this machine's lateness could have made them")
			}
		},
	}
}
