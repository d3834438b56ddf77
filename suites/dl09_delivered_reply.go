package suites

import (
	"strconv"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func deliveredReply() Rule {
	return Rule{
		ID: "DL-09", Level: Should, Family: Deadlines, Profile: Basic,
		Says:   "the attempt timer ends with the reply's head: a body that is on its way has until the deadline",
		Source: "the adapter contract (attempt_timeout_ms ends when the reply's head is read); Go net/http, Transport.ResponseHeaderTimeout (does not include the time to read the body)",
		Under:  "slow-body",
		Why:    "The timer that was meant for a silent server cuts a long answer in two. Every export larger than a few seconds fails, is fetched anew, and fails again at the same byte, while small ones always work.",
		Right:  "Stop the attempt's timer when the head is there, and let the deadline end the reading of the body. Where the library's timer covers the body as well, do not claim it as attempt_timeout_ms.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In()) {
				b.readsToTheEnd(op)
			}
		},
	}
}

// readsToTheEnd expects a reply that came slowly, and in time, to be read whole and told as a success. What ends at the deadline was ended by it.
func (b *Bench) readsToTheEnd(op transcript.Op) {
	for k, a := range op.Attempts {
		switch took := leftAt(a).Sub(op.Began); {
		case a.ReplyLast.Happened():
			b.Expect(op).To(EndIn(drive.OK))
		case !a.ReplyFirst.Happened() || took >= b.end(op)-transcript.TimerSlack:
			b.NotTested("%s: the reply to attempt %d was not there by the deadline", op.Case, k+1)
		default:
			b.about(op)
			b.breach("a reply that has begun to be read for as long as the deadline allows, "+show(b.end(op)),
				"the client left attempt "+strconv.Itoa(k+1)+" "+show(leftAt(a).Sub(a.ReplyFirst))+" after its reply had begun")
			return
		}
	}
}
