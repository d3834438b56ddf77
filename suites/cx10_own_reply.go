package suites

import (
	"strings"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func ownReply() Rule {
	return Rule{
		ID: "CX-10", Level: Must, Family: Connections, Profile: Safe,
		Says:   "surplus bytes and conflicting framing never become the answer to a request, or a part of it",
		Source: "RFC 9112, 6.3 (what is left over must not be processed as a separate response; a response with two lengths is discarded and its connection closed; chunks override a length)",
		Under:  "surplus-and-conflict",
		Why: "From then on each answer on this connection belongs to the request before: customers are shown each other's accounts, and it looks like a bug in a cache. Where an attacker has a say in a reply, " +
			"he chooses what the next caller is told.",
		Right: "Whatever is there to read on an idle connection, be it left in your own buffer, ends that connection. Refuse a reply whose lengths contradict each other, and do not use its connection again.",
		Holds: func(b *Bench, t transcript.Transcript) {
			told, known := tellsBodies(t.In("a sound read")), 0
			for op := range b.Reached(t.In()) {
				if op.Outcome == drive.OK && (told || op.Status != 0) {
					known++
				}
				switch {
				case op.MissedWarm():
					b.NotTested("%s: the client did not keep its connection", op.Case)
				case told:
					b.Expect(op).To(BeGivenItsOwn())
				case op.Status != 0 || op.Outcome != drive.OK:
					b.Expect(op).To(beAnsweredAsTheFakeDid())
				default:
					b.NotTested("%s: the client does not tell what it was given, or not as it came", op.Case)
				}
				if strings.HasPrefix(op.Case, "two lengths") && op.Outcome == drive.OK && isItsOwn(op) {
					b.Advise(op, "an error: a reply with two lengths is to be discarded", "the client said "+said(op)+", and guessed right")
				}
			}
			if known == 0 {
				b.Vacuous("the client does not tell what it was given, neither the body as it came nor the status")
			}
		},
	}
}
