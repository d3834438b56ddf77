package suites

import (
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func requestTimeout() Rule {
	return Rule{
		ID: "RT-06", Level: May, Family: Retrying, Profile: Basic,
		Says:   "a 408 may be repeated, on a new connection; one that comes on an idle connection answers nothing",
		Source: "RFC 9110, 15.5.9; RFC 9112, 9.6 (after \"Connection: close\" a client must not send a request on that connection)",
		Under:  "request-timeout",
		Why: "A server that is tired of waiting says 408 and closes. A repeat on the same connection is never heard. And where the 408 came while the connection was idle, a client that takes it for the answer to its next " +
			"request reports a timeout of a request that the server has not even seen.",
		Right: "Give up the connection with the 408, and repeat on another one what may be repeated. Bytes that come on an idle connection end it, whatever they say.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In("408 to a read", "408 to a keyed write")) {
				if len(op.Attempts) == 1 {
					b.NotTested("%s: the client did not repeat it, which is right as well", op.Case)
					continue
				}
				b.Expect(op).To(useAnotherConnection())
			}
			for _, pair := range [][2]string{
				{"408 on the idle connection", "the read after it"},
				{"408 on the idle connection, behind a keyed write", "the keyed write after it"},
			} {
				b.takesNoAnswerFrom(t.In(pair[0]), t.In(pair[1]))
			}
		},
	}
}

// takesNoAnswerFrom expects the operations after an unsolicited 408 not to be told of it as their own.
func (b *Bench) takesNoAnswerFrom(idle, after []transcript.Op) {
	tells := false
	for op := range b.Reached(idle) {
		if op.MissedWarm() {
			b.NotTested("%s: the client did not keep its connection", op.Case)
			return
		}
		tells = tells || op.Status != 0
	}
	for _, op := range after {
		if !tells && op.Outcome != drive.OK {
			b.NotTested("%s: the client does not tell by which status it was answered", op.Case)
			continue
		}
		b.Expect(op).To(beAnsweredAsTheFakeDid())
	}
}
