package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Most waits that may lie within a window of each other after one hint for all. The window is a fiftieth of a second, in which a spread of 100 ms
// puts a fifth; or a quarter of the spread that the client claims, if that is less.
const (
	sharedHint       = 2 * time.Second
	hintWindow       = 20 * time.Millisecond
	partOfClaim      = 4
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
				b.Expect(op).To(WaitAtLeast(sharedHint, 429, 503))
				waits = append(waits, op.Waits()[0].Seconds())
			}
			if len(waits) < fewestForSpread {
				b.Vacuous("only %s: want %d to tell jitter from chance", count(len(waits), "wait"), fewestForSpread)
				return
			}
			window := b.hintWindow()
			share := mostWithin(waits, window.Seconds())
			b.Measure("within "+show(window), fmt.Sprintf("%.0f %%", 100*share))
			sorted := slices.Sorted(slices.Values(waits))
			early := sorted[len(sorted)/4] - sorted[0] // which lateness reaches least
			b.expectsOfAll()
			switch {
			case share > mostAfterOneHint:
				b.breach(fmt.Sprintf("at most %.0f %% of the waits within %s of each other", 100*mostAfterOneHint, show(window)), fmt.Sprintf("%.0f %%", 100*share))
			case early <= b.typical.Seconds():
				b.Doubt("the waits spread no more than this machine's lateness could have made them")
			}
		},
	}
}

// hintWindow is what so many waits after one hint must not lie within.
func (b *Bench) hintWindow() time.Duration {
	claims, claimed := b.Client.Claims, time.Duration(0)
	switch {
	case claims.HintJitterMS > 0:
		claimed = time.Duration(claims.HintJitterMS) * time.Millisecond
	case claims.Jitter == drive.PercentJitter:
		claimed = time.Duration(claims.JitterPercent / 100 * float64(sharedHint))
	}
	if claimed == 0 {
		return hintWindow
	}
	return min(hintWindow, claimed/partOfClaim)
}
