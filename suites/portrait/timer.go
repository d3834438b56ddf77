package portrait

import (
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/sample"
)

// Timer is when the client left attempts that were not answered, to try again: its attempt timeout.
type Timer struct {
	Attempts int        `json:"attempts,omitempty"`
	Median   clock.Span `json:"median,omitzero"`
}

func timer(e evidence) Timer {
	var open []float64
	for _, o := range e.ops {
		for i, a := range o.Attempts {
			if i+1 < len(o.Attempts) && !o.hedged(i+1) && o.ownPolicy() && o.ending(a) == timeOut {
				open = append(open, a.Gone.Sub(a.FirstByte).Seconds())
			}
		}
	}
	if len(open) == 0 {
		return Timer{}
	}
	return Timer{len(open), span(sample.Median(open))}
}

func span(seconds float64) clock.Span { return clock.Span(seconds * float64(time.Second)) }
