package transcript

import (
	"strings"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
)

// RefusedUntil is when a play began to accept connections, where it refused them from its beginning; Never where it did not.
func (t Transcript) RefusedUntil() clock.Moment {
	for _, d := range t.Decisions {
		span, refuses := strings.CutPrefix(d.Fault, "refuse ")
		if d.Operation != "" || !refuses {
			continue
		}
		if long, err := time.ParseDuration(strings.Fields(span)[0]); err == nil {
			return d.At.Add(long)
		}
	}
	return clock.Never
}
