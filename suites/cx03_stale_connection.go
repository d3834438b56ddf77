package suites

import (
	"net/http"
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func staleConnection() Rule {
	return Rule{
		ID: "CX-03", Level: Must, Family: Connections, Profile: Basic,
		Says:   "a kept connection that closes under a request is survived by safe and keyed operations, and reported honestly by others",
		Source: "RFC 9112, 9.3.1 and 9.5; RFC 9110, 9.2.2",
		Under:  "closed-as-the-request-arrives",
		Why:    "Servers close idle connections all day. A client that does not expect it fails one request in a thousand, or pays twice.",
		Right:  "Send a safe or keyed request again, on a new connection; report any other as unknown.",
		Holds: func(b *Bench, t transcript.Transcript) {
			ops := t.In()
			for op := range b.Reached(ops) {
				switch {
				case op.MissedWarm():
					b.NotTested("%s: the client did not keep its connection", op.Case)
				case op.Method == http.MethodPost && !keyed(op):
					b.Expect(op).To(ApplyAtMostOnce())
					b.Expect(op).To(EndIn(drive.Unknown, drive.Error, drive.Failed))
				case !b.Client.Has(drive.Retries):
					b.NotTested("%s: the client does not say that it retries (feature retries)", op.Case)
				case b.stoppedRightly(op, 2): // noted
				case keyed(op) && len(op.Attempts) == 1 && slices.Contains([]drive.Outcome{drive.Unknown, drive.Error}, op.Outcome):
					b.Advise(op, "a second attempt with the key, on another connection", "none; the client said "+said(op)+", which is honest") // its policy may leave writes alone
				default:
					b.Expect(op).To(EndIn(drive.OK))
					b.Expect(op).To(useAnotherConnection())
				}
			}
		},
	}
}

func useAnotherConnection() matcher {
	return matcher{
		needed: "a second attempt, on another connection",
		holds: func(op transcript.Op) bool {
			return len(op.Attempts) > 1 && op.Attempts[1].Connection != op.Attempts[0].Connection
		},
		seen: traffic,
	}
}
