package suites

import (
	"strings"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func expectation() Rule {
	return Rule{
		ID: "CX-09", Level: Should, Family: Connections, Profile: Basic,
		Says:   "a client that expects 100 (Continue) does not wait for it for long, leaves no half request behind, and drops the expectation after a 417",
		Source: "RFC 9110, 10.1.1 and 15.5.18; RFC 9112, 9.3",
		Under:  "expects-continue",
		Why: "Many servers and proxies never send a 100: a client that insists on it stands still with every upload. And one that is refused before the body, leaves the body out and keeps the connection " +
			"has its next request swallowed as that body: the failure shows in another call, minutes later.",
		Right: "Send the body after a second of silence. After a final status either send the body all the same or close the connection. After a 417 send the request again, without Expect.",
		Holds: func(b *Bench, t transcript.Transcript) {
			for op := range b.Reached(t.In("silence", "refused before the body", "417")) {
				if !expects(op.Attempts[0]) {
					b.NotTested("%s: the client sends no Expect: 100-continue", op.Case)
					continue
				}
				switch op.Case {
				case "silence":
					b.sendsTheBody(op)
				case "refused before the body":
					b.leavesNothingBehind(t.In("the write after the refusal"))
				case "417":
					b.dropsTheExpectation(op)
				}
			}
		},
	}
}

func expects(a journal.Attempt) bool {
	return strings.EqualFold(a.Header.Get("Expect"), "100-continue")
}

// leavesNothingBehind expects the next operations to be understood, on whatever connection they come.
func (b *Bench) leavesNothingBehind(next []transcript.Op) {
	for _, op := range next {
		if len(op.Attempts) == 0 && b.Client.Has(drive.Breaker) {
			b.NotTested("%s: no attempt came, and a breaker may have forbidden it", op.Case)
			continue
		}
		b.Expect(op).To(EndIn(drive.OK))
	}
}

// longestExpectation is how long a client may wait for a 100. One second is usual.
const longestExpectation = 5 * time.Second

func (b *Bench) sendsTheBody(op transcript.Op) {
	first := op.Attempts[0]
	came := first.BodyRead
	if !came.Happened() {
		came = leftAt(first)
		if waited := came.Sub(first.HeadRead); waited < longestExpectation {
			b.NotTested("%s: the client left the attempt after %s, before it could be told whether it would send the body", op.Case, show(waited))
			return
		}
	}
	b.Within(op, "the body, without a 100,", came.Sub(first.HeadRead), longestExpectation)
}

func (b *Bench) dropsTheExpectation(op transcript.Op) {
	if b.stoppedRightly(op, 2) {
		return
	}
	b.Expect(op).To(matcher{
		needed: "a second attempt, without Expect",
		holds:  func(op transcript.Op) bool { return len(op.Attempts) > 1 && !expects(op.Attempts[1]) },
		seen: func(op transcript.Op) string {
			if len(op.Attempts) > 1 {
				return "a second attempt with Expect: 100-continue"
			}
			return traffic(op)
		},
	})
}
