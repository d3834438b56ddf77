package suites

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/sample"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// leastWidth is how many times what a machine may add to a wait a span must be, to tell how evenly it is drawn from.
const leastWidth = 2

// draw is a wait and the span that it was drawn from, by what the client claims.
type draw struct {
	wait float64
	span span
}

// drawsEvenly expects the waits of operations to be drawn evenly from the spans that the client claims. Lateness makes waits longer and never
// shorter: what is too short is found, and what is too long only where the machine cannot have made it so.
func (b *Bench) drawsEvenly(ops []transcript.Op) {
	usual := max(b.typical, dispatchSlack)
	worst := max(transcript.Starved*b.doubt, usual)
	draws := b.draws(ops, leastWidth*usual)
	if len(draws) < fewestForSpread {
		b.Vacuous("only %s from a known span of %s or more: want %d to tell how evenly they are drawn", count(len(draws), "wait"), show(leastWidth*usual), fewestForSpread)
		return
	}
	b.expectsOfAll()
	const needed = "waits drawn evenly between the claimed bounds"
	short, long := below(placed(draws, -transcript.TimerSlack)), above(placed(draws, usual))
	b.Measure("place within the span", fmt.Sprintf("%.0f %% on average of %d", 100*sample.Mean(placed(draws, 0)), len(draws)))
	switch {
	case short != "":
		b.breach(needed, count(len(draws), "wait")+" that are too short: "+short)
	case long == "":
	case above(placed(draws, worst)) != "":
		b.breach(needed, count(len(draws), "wait")+" that are too long: "+long)
	default:
		b.Doubt("needed %s; seen %s that are too long: %s; this machine's lateness could have made that", needed, count(len(draws), "wait"), long)
	}
}

// draws gives the waits whose spans the client's claims tell, and that are wide enough.
func (b *Bench) draws(ops []transcript.Op, least time.Duration) []draw {
	var draws []draw
	for op := range b.Repeated(ops) {
		for i, w := range op.Waits() {
			grows := i == 0 || b.Client.Claims.Multiplier > 0 || b.ceiling(op, i+1) == b.Client.Claims.Cap()
			if s, claimed := b.drawn(op, i+1); claimed && grows && s.width() >= least.Seconds() {
				draws = append(draws, draw{w.Seconds(), s})
			}
		}
	}
	return draws
}

// placed tells where in their spans waits lie that are so much late: 0 is the lower end and 1 the upper one.
func placed(draws []draw, late time.Duration) []float64 {
	places := make([]float64, len(draws))
	for i, d := range draws {
		places[i] = (d.wait - late.Seconds() - d.span.from) / d.span.width()
	}
	slices.Sort(places)
	return places
}

// Bounds of an even sample, each of which an honest one exceeds with a chance of less than falseAlarm: of the distance between its distribution
// and the even one (Kolmogorov and Smirnov), of its mean, in standard errors, and of what it may leave empty at an end. The last is
// missed by 200 values with a chance of 0.95^200 = 3.5e-5.
const (
	farthest   = 2.04 // divided by the root of the sample's size: 5e-4
	fromMiddle = 4.0  // 6e-5
	emptyEnd   = 0.05
	fillsEnds  = 200
)

// above tells in what way sorted places are higher than those of an even sample; empty if they are not.
func above(places []float64) string {
	n, farAbove := len(places), 0.0
	for i, p := range places {
		farAbove = max(farAbove, min(p, 1)-float64(i)/float64(n))
	}
	middle := sample.Mean(places) - 0.5
	switch root := math.Sqrt(float64(n)); {
	case farAbove > farthest/root+1/float64(n):
		return fmt.Sprintf("their distribution is up to %.0f %% from an even one", 100*farAbove)
	case middle > fromMiddle*math.Sqrt(span{0, 1}.variance())/root:
		return fmt.Sprintf("they are on average %.1f %% of the span from its middle", 100*middle)
	case n >= fillsEnds && places[0] > emptyEnd:
		return fmt.Sprintf("%.0f %% of the span are empty", 100*places[0])
	}
	return ""
}

// below tells in what way sorted places are lower than those of an even sample. None may be below the lower end: no timer fires early.
func below(places []float64) string {
	if places[0] < 0 {
		return fmt.Sprintf("one is below the lower bound, by %.0f %% of the span", -100*places[0])
	}
	mirrored := make([]float64, len(places))
	for i, p := range places {
		mirrored[len(places)-1-i] = 1 - p
	}
	return above(mirrored)
}
