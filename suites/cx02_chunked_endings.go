package suites

import (
	"strings"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func chunkedEndings() Rule {
	return Rule{
		ID: "CX-02", Level: Must, Family: Connections, Profile: Basic,
		Says:   "a chunked body that is cut short is an error, and one that is whole is not, however it is cut into segments",
		Source: "RFC 9112, 7.1 and 8 (8 calls a body incomplete until the last chunk has come: where only the empty line after it is missing, this rule warns)",
		Under:  "chunked-endings",
		Why: "Chunks are what streams, exports and lists of unknown length come in. When a server dies in the middle of one, nothing but the missing last chunk tells: whoever does not look for it " +
			"takes a third of the accounts for all of them. And a parser that wants the end in one piece fails on a sound network, once in some thousand replies.",
		Right: "Read until the last chunk and the empty line after it, over as many reads as it takes; an end of file before is a failed attempt, whatever the status said.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				switch {
				case op.MissedWarm():
					b.NotTested("%s: the client did not keep its connection", op.Case)
				case strings.HasPrefix(op.Case, "in two segments"):
					b.Expect(op).To(EndIn(drive.OK))
					b.Expect(op).To(restContent())
				case strings.HasPrefix(op.Case, "a last chunk without") && op.Outcome == drive.OK:
					b.Advise(op, "an error: the empty line that ends a chunked body never came", "the client said "+said(op))
				default:
					b.Expect(op).To(EndIn(drive.Failed, drive.Unknown, drive.Error))
				}
			}
		},
	}
}

// restContent holds for an operation that is not attempted again once a whole success has been sent to it.
func restContent() matcher {
	return matcher{
		needed: "no attempt after a whole reply",
		holds: func(op transcript.Op) bool {
			for _, a := range op.Attempts {
				if succeeded(a.Status) && a.ReplyLast.Happened() && op.LastAttempt() > a.ReplyLast {
					return false
				}
			}
			return true
		},
		seen: func(op transcript.Op) string { return traffic(op) + ", " + answers(op) },
	}
}
