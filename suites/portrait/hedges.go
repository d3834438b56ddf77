package portrait

import (
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/sample"
)

// Hedges are operations that were sent again while the attempt before was still open: not for a failure, but for want of an answer.
type Hedges struct {
	Operations int        `json:"operations,omitempty"`
	Median     clock.Span `json:"median,omitzero"` // from the first attempt to the second
}

func hedges(e evidence) Hedges {
	var delays []float64
	for _, o := range e.ops {
		if o.hedged(1) {
			delays = append(delays, o.Attempts[1].FirstByte.Sub(o.Attempts[0].FirstByte).Seconds())
		}
	}
	if len(delays) == 0 {
		return Hedges{}
	}
	return Hedges{len(delays), span(sample.Median(delays))}
}

// hedged tells whether the attempt after the k-th, counted from 1, came while that was still open. A client that leaves an attempt for the next one
// may be seen to leave a moment later.
func (o op) hedged(k int) bool {
	if k >= len(o.Attempts) {
		return false
	}
	over := o.Over(k)
	return !over.Happened() || over.Sub(o.Attempts[k].FirstByte) > stillOpen
}

// stillOpen is how much later than the next attempt's first byte the end of one may be seen, on connections of their own.
const stillOpen = 20 * time.Millisecond
