package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func abandonedWork() Rule {
	return Rule{
		ID: "DP-04", Level: Should, Family: Propagation, Profile: Isolating,
		Says:   "work that the caller has abandoned is cancelled downstream",
		Source: "gRPC documentation, Cancellation; RFC 9112, 9.6",
		Under:  "cancelled-in-flight",
		Needs:  drive.Cancel,
		Why:    "The dependency computes an answer that nobody will read, at the moment at which it has the least to spare.",
		Right:  "When the operation ends, abort its request: close the connection (HTTP/1.1), or reset the stream (HTTP/2).",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				b.letsGo(op, time.Duration(op.CancelAfter))
			}
		},
	}
}
