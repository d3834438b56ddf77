package suites

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func refusedConnection() Rule {
	return Rule{
		ID: "RT-09", Level: Should, Family: Retrying, Profile: Basic,
		Says:   "what surely was not processed is tried again, whatever the method: a connection that was refused carried nothing",
		Source: "gRFC A6, Transparent Retries; RFC 9110, 9.2.2 (unless it is known that the original request was never applied)",
		Under:  "refused-for-a-second",
		Needs:  drive.Retries,
		Why:    "A service restarts in a second, and every order placed in that second is lost, out of a caution that has no reason: nobody can apply a request that nobody received.",
		Right:  "Tell failures by what was sent. Before the connection is there, any request may be tried again, with the usual backoff; after its first byte, only a safe or keyed one.",
		Holds: func(b *Bench, t transcript.Transcript) {
			opened := t.RefusedUntil()
			b.comesAgain(b.surelyRefused(t.In(), opened), opened)
		},
	}
}

// surelyRefused gives the operations whose first try was refused. The fake sees nothing of it; but a client that begins so long before connections are
// accepted as it ever takes until its first byte comes has been refused.
func (b *Bench) surelyRefused(ops []transcript.Op, opened clock.Moment) []transcript.Op {
	slowest, seen := time.Duration(0), false
	for _, op := range ops {
		if op.Began.Sub(opened) > transcript.Starved*b.doubt && len(op.Attempts) > 0 {
			slowest, seen = max(slowest, op.Attempts[0].FirstByte.Sub(op.Began)), true
		}
	}
	if !seen {
		return nil // a client that stays away when the service is back shows nothing
	}
	return slices.DeleteFunc(ops, func(op transcript.Op) bool {
		return opened.Sub(op.Began) <= slowest+dispatchSlack
	})
}

// comesAgain expects some of the operations whose first try was refused to have come after all, each whole and once. Connections are refused for
// about as long as a client that gives up after a few tries has patience, so that some operations begin too early for all of their tries and some
// just in time. Where none came it finds out whether an honest client may have spent all tries too early: with full jitter, that is a matter of luck.
func (b *Bench) comesAgain(refused []transcript.Op, opened clock.Moment) {
	came, luck := 0, 0.0 // luck is a logarithm
	for _, op := range refused {
		if len(op.Attempts) == 0 {
			luck += math.Log(b.chanceOfAll(op, opened.Sub(op.Began)))
			continue
		}
		came++
		b.Expect(op).To(ApplyAtMostOnce())
		b.Expect(op).To(arriveWhole())
	}
	b.Measure("came after a refusal", strconv.Itoa(came)+" of "+strconv.Itoa(len(refused)))
	switch {
	case came > 0:
	case len(refused) == 0:
		b.Vacuous("no operation was surely refused at first")
	case b.Client.Claims.MaxAttempts == 1:
		b.Vacuous("the client claims a single attempt")
	case !b.Client.Has(drive.Retries):
		b.Vacuous(noRetries)
	case b.Client.Has(drive.Budget) || b.Client.Has(drive.Breaker):
		b.Vacuous("none came again; a budget or a breaker may have forbidden it")
	case luck < math.Log(falseAlarm):
		b.expectsOf(refused[len(refused)-1])
		b.breach("a further try of a request whose connection was refused", "none of "+count(len(refused), "operation")+" came when connections were accepted again")
	default:
		b.Vacuous("none came again, but all tries may have been made while connections were refused")
	}
}

// chanceOfAll bounds the chance that an honest client has spent all its tries of an operation within a time.
func (b *Bench) chanceOfAll(op transcript.Op, within time.Duration) float64 {
	chance := 1.0
	for k := range max(2, b.allowed(op)) - 1 {
		if s, claimed := b.drawn(op, k+1); claimed {
			chance *= s.below((within + transcript.Starved*b.doubt).Seconds())
		}
	}
	return chance
}

// arriveWhole holds for an operation whose attempts all brought the whole body.
func arriveWhole() matcher {
	return matcher{
		needed: "the whole body",
		holds: func(op transcript.Op) bool {
			return !slices.ContainsFunc(op.Attempts, func(a journal.Attempt) bool { return a.BodyBytes < op.BodyBytes })
		},
		seen: func(op transcript.Op) string {
			return "a body of " + strconv.Itoa(int(op.Attempts[0].BodyBytes)) + " bytes, of " + strconv.Itoa(int(op.BodyBytes))
		},
	}
}
