package suites

import (
	"fmt"
	"math"

	"github.com/brownout-dev/brownout/suites/sample"
)

// varying is a number of waits that are expected to vary.
type varying struct {
	what     string // "wait 1"
	waits    []float64
	inStep   bool    // so many are alike that they do not vary, whatever the others make of the deviation
	lateness float64 // what a machine would have to be late by, usually, to have made the variation; in seconds
	seen     string  // what else is to be told of them
}

// varies expects a deviation of leastVariation of the mean. It fails where even the upper end of what the sample allows falls short, and doubts where only
// the measured value does, or where the machine's usual lateness could have made it.
func (b *Bench) varies(s varying) {
	b.expectsOfAll()
	n, cv := len(s.waits), deviation(s.waits)/sample.Mean(s.waits)
	b.Measure("variation of "+s.what, fmt.Sprintf("%.1f %%", 100*cv))
	needed := fmt.Sprintf("a variation of %s of %.0f %% or more", s.what, 100*leastVariation)
	seen := fmt.Sprintf("%.1f %% over %s", 100*cv, count(n, "wait")) + s.seen
	switch {
	case math.IsNaN(cv) || s.inStep || cv*(1+confidence/math.Sqrt(2*float64(n))) < leastVariation:
		b.breach(needed, seen)
	case cv < leastVariation:
		b.Doubt("needed %s; seen %s: too few to be sure", needed, seen)
	case s.lateness <= b.typical.Seconds():
		b.Doubt("needed %s; seen %s, which this machine's lateness could have made", needed, seen)
	}
}
