package suites

import (
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func failedBodies() Rule {
	return Rule{
		ID: "CX-05", Level: Should, Family: Connections, Profile: Basic,
		Says:   "retries leak no connections: what failed is read to its end, or closed, before the next attempt",
		Source: "RFC 9112, 9.3 (a connection can be used again only when the whole body was read); Go net/http, Response.Body (the caller closes it)",
		Under:  "failures-with-a-body",
		Why: "Each failed attempt leaves a connection behind that nobody will ever use or close. While the dependency is down, a service collects them by the thousand, runs out of file descriptors, " +
			"and then cannot reach anybody any more. Where they are closed unread instead, each retry pays for a new connection, and TLS, at the moment at which the dependency has the least to spare.",
		Right: "Before a retry, read a short body to its end so that the connection can be used again, and close a long one with its connection. A bound between the two of some 64 KiB is usual.",
		Holds: func(b *Bench, t transcript.Transcript) {
			small, large := t.In("1 KiB"), t.In("10 MiB")
			hedges := max(1, b.Client.Claims.Hedge.MaxAttempts)
			for _, ops := range [][]transcript.Op{small, large} {
				b.leavesFewOpen(ops, t.Connections, callsAtOnce(t.Ops())*hedges+1)
			}
			b.usesAgain(small, t.In("sound, the first time", "sound, the second time"), callsAtOnce(small)*hedges+1)
		},
	}
}

// callsAtOnce is how many of the operations were under way at once, at the most.
func callsAtOnce(ops []transcript.Op) (most int) {
	for _, op := range ops {
		n := 0
		for _, other := range ops {
			if other.Began <= op.Began && op.Began <= other.Ended {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// settled is how long a connection that the client has left may take to be seen to be closed.
const settled = 250 * time.Millisecond

// leavesFewOpen expects no more connections to be open at once than operations are under way, and one. Those on which nothing was ever asked are
// no leak: some pools connect in advance.
func (b *Bench) leavesFewOpen(ops []transcript.Op, all []wire.Connection, most int) {
	open := func(at clock.Moment) (n int) {
		for _, c := range all {
			if c.Requests > 0 && c.Opened <= at && (!c.Closed.Happened() || c.Closed.Sub(at) > settled+b.doubt) {
				n++
			}
		}
		return n
	}
	attempts, worst := 0, 0
	var at transcript.Op
	for op := range b.Reached(ops) {
		for _, a := range op.Attempts {
			attempts++
			if n := open(a.FirstByte); n > worst {
				worst, at = n, op
			}
		}
	}
	switch {
	case attempts == 0: // noted
	case attempts <= most:
		b.NotTested("%s: %s: too few to show a leak", name(ops), count(attempts, "attempt"))
	default:
		b.Measure("open at once, "+name(ops), worst)
		b.Expect(at).To(seenToHold(worst <= most,
			"at most "+count(most, "connection")+" open at once", count(worst, "connection")+" of "+count(attempts, "attempt")))
	}
}

// usesAgain expects connections to be used again after a failure with a short body. Its operations come one after the other, so that it takes
// no large pool. A client that is never seen to use a connection again has none to lose.
func (b *Bench) usesAgain(ops, sound []transcript.Op, most int) {
	attempts, used := 0, map[int]bool{}
	for _, op := range ops {
		for _, a := range op.Attempts {
			attempts++
			used[a.Connection] = true
		}
	}
	keeps := false
	for _, op := range sound {
		keeps = keeps || len(op.Attempts) > 0 && op.Attempts[0].Use > 1
	}
	switch {
	case !keeps || b.Client.Has(drive.ProcessPerCall):
		b.NotTested("%s: the client keeps no connections", name(ops))
	case attempts <= most: // noted
	default:
		b.Measure("connections for "+count(attempts, "attempt")+", "+name(ops), len(used))
		b.Expect(ops[0]).To(seenToHold(len(used) <= most,
			"at most "+count(most, "connection")+" for "+count(attempts, "attempt")+" that failed with 1 KiB", count(len(used), "connection")))
	}
}

// seenToHold is a matcher for something that was counted over several operations.
func seenToHold(holds bool, needed, seen string) matcher {
	return matcher{
		needed: needed,
		holds:  func(transcript.Op) bool { return holds },
		seen:   func(transcript.Op) string { return seen },
	}
}
