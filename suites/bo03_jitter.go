package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/sample"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func randomWaits() Rule {
	return Rule{
		ID: "BO-03", Level: Must, Family: Backoff, Profile: Polite,
		Says:   "waits are randomised: identical clients do not retry in lock-step",
		Source: "AWS Architecture Blog, Exponential Backoff And Jitter; AWS Builders' Library, Timeouts, retries and backoff with jitter",
		Under:  "unavailable-once",
		Needs:  drive.Retries,
		Why:    "Ten thousand clients that failed together come back together, after one second, after three, after seven: each time in the moment in which the dependency tries to stand up.",
		Right:  "Full jitter: a wait drawn evenly between zero and the current ceiling.",
		Holds: func(b *Bench, t transcript.Transcript) {
			var waits []float64
			for op := range b.Repeated(t.In()) {
				waits = append(waits, op.Waits()[0].Seconds())
			}
			if len(waits) > 0 {
				b.spreads(waits, b.ceiling(transcript.Op{}, 1))
			}
		},
	}
}

// Bounds of what counts as spread. Jitter of 10 % either way has a variation of 5.8 %, puts 5 % of the waits into any hundredth of the
// median, and its earliest quarter spans 5 % of itself; full jitter has 58 %, 0.5 % and nearly all of it.
const (
	leastVariation  = 0.05 // of first waits: deviation by mean
	mostTogether    = 0.30 // of first waits within a hundredth of the median of each other
	leastEarlySpan  = 0.01 // of the earliest quarter of first waits, by its end
	fewestForSpread = 20   // waits; fewer may be alike by chance
)

// spreads expects first waits to vary. A busy machine makes every wait a little longer, and so makes lock-step look like jitter: therefore the
// earliest quarter is looked at on its own, which lateness reaches least. claimed is the longest first wait by the claims; 0 = none is claimed.
func (b *Bench) spreads(waits []float64, claimed time.Duration) {
	n := len(waits)
	if n < fewestForSpread {
		b.Vacuous("only %s: want %d to tell jitter from chance", count(n, "wait"), fewestForSpread)
		return
	}
	if middle := sample.Median(waits); middle < atOnce.Seconds() {
		b.comesAtOnce(middle, claimed)
		return
	}
	together := mostWithin(b.belowTheCap(waits), sample.Median(waits)/100)
	sorted := slices.Sorted(slices.Values(waits))
	quarter := sorted[n/4]
	early := quarter - sorted[0]
	b.varies(varying{
		what:     "wait 1",
		waits:    waits,
		inStep:   together > mostTogether || early <= leastEarlySpan*quarter,
		lateness: early,
		seen:     fmt.Sprintf(" from %s to %s, %.0f %% of them within a hundredth of each other", seconds(sorted[0]), seconds(sorted[n-1]), 100*together),
	})
}

// belowTheCap leaves out the waits that a client has cut down to its cap, if it claims decorrelated jitter: that kind draws up to three times the
// base at once, so that with a cap of less many first waits are the cap itself. The others have to be spread all the same; where they are too
// few to tell, none is left out.
func (b *Bench) belowTheCap(waits []float64) []float64 {
	limit := b.Client.Claims.Cap()
	if b.Client.Claims.Jitter != drive.DecorrelatedJitter || limit == 0 {
		return waits
	}
	below := slices.DeleteFunc(slices.Clone(waits), func(w float64) bool { return w >= (limit - transcript.TimerSlack).Seconds() })
	if len(below) < fewestForSpread {
		return waits
	}
	return below
}

// atOnce is the median of first waits below which a client is said to come back at once: no more than the way of the bytes takes.
const atOnce = 3 * time.Millisecond

// comesAtOnce finds clients whose first retries all come at once, and so together. A machine makes waits longer and never shorter: it is in no
// doubt. What is so short by its claim is too short to tell jitter from the way of the bytes.
func (b *Bench) comesAtOnce(middle float64, claimed time.Duration) {
	if claimed > 0 && claimed <= 2*atOnce {
		b.NotTested("the client claims first waits of up to %s, too short for their jitter to show", show(claimed))
		return
	}
	b.expectsOfAll()
	b.found("first waits that are drawn at random", "half of them "+seconds(middle)+" or less: all come back at once, and together")
}
