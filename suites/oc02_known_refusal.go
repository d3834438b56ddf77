package suites

import (
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func knownRefusal() Rule {
	return Rule{
		ID: "OC-02", Level: Should, Family: Outcomes, Profile: Safe,
		Says:   "the caller is not told unknown where the reply proves that nothing was applied",
		Source: "RFC 9110, 15.5",
		Under:  "each-permanent-error",
		Why:    "A client that calls everything unknown sends people to look up what was plainly refused, and soon nobody looks any more.",
		Right:  "A 400, 401, 404 or 422 was refused before anything was done: say failed.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for _, op := range t.In() {
				refused := op.Case == "connection refused"
				if !refused && len(op.Attempts) == 1 {
					refused = slices.Contains([]int{400, 401, 404, 422}, op.Attempts[0].Status)
				}
				if refused {
					b.Expect(op).NotTo(EndIn(drive.Unknown, drive.OK))
				}
			}
		},
	}
}
