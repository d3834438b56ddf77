package suites

import (
	"net/http"
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func ownEcho() Rule {
	return Rule{
		ID: "ID-14", Level: Should, Family: Idempotency, Profile: Safe,
		Says:   "the echo of one's own success is not reported as a failure",
		Source: "RFC 9110, 9.2.2 (repeating the request has the same intended effect, though the response might differ), 13.1.2 (If-None-Match)",
		Under:  "echo-of-its-own",
		Why:    "The DELETE was done and its reply was lost; the retry finds nothing and the job fails with 404. Somebody restores the record from a backup, or the create is tried under another name.",
		Right:  "After a lost reply, a 404 to a DELETE, a 412 to a create and a 409 of what you sent yourself may be your own doing. Read it back, and say ok if it is as you wanted it, or unknown if you cannot.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Repeated(t.In()) {
				last := lastOf(op)
				if op.Attempts[0].Effect == 0 || !slices.Contains(echoes(), last.Status) {
					b.NotTested("%s: the repeat was answered %d, which is no echo", op.Case, last.Status)
					continue
				}
				b.Expect(op).To(EndIn(drive.OK, drive.Unknown, drive.Error))
			}
		},
	}
}

// echoes are the statuses in which one's own success can come back.
func echoes() []int {
	return []int{http.StatusNotFound, http.StatusConflict, http.StatusGone, http.StatusPreconditionFailed}
}
