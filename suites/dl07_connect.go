package suites

import (
	"time"

	"github.com/brownout-dev/brownout/suites/transcript"
)

func boundedConnect() Rule {
	return Rule{
		ID: "DL-07", Level: Should, Family: Deadlines, Profile: Basic,
		Says:   "getting a connection has a bound of its own, well below the deadline",
		Source: "AWS Builders' Library, Timeouts, retries and backoff with jitter (connect timeouts beside request timeouts); RFC 6298, 2 and 5.5 (a lost SYN is sent again after 1, 3 and 7 s)",
		Under:  "nobody-picks-up",
		Why:    "A host that is gone, or a firewall that drops packets, answers nothing at all. Without a connect timeout the whole deadline goes into one dead address, while the one beside it would have answered in a millisecond.",
		Right:  "A connect timeout of one to three round trips with room for a lost SYN, for each connection; then the next try. State it (claim connect_timeout_ms).",
		Holds: func(b *Bench, t transcript.Transcript) {
			for _, op := range t.In() {
				b.connectsInTime(op, b.Client.Claims.ConnectTimeout())
			}
		},
	}
}

// settingOut is what a client may take before its first connection: a token that is fetched, a pool that is filled.
const settingOut = time.Second

// connectsInTime expects an operation of which no connection was ever accepted to be over when each of its tries has had the connect timeout and
// each wait between them its longest. Only the client can tell how many tries there were: the network shows none.
func (b *Bench) connectsInTime(op transcript.Op, limit time.Duration) {
	tries := b.allowed(op)
	if tries == 0 {
		b.NotTested("%s: how many connections it may try is not known; claim max_attempts, 1 for a client that tries one", op.Case)
		return
	}
	bound := settingOut + time.Duration(tries)*limit
	for k := range tries - 1 {
		wait, claimed := b.longest(op, k+1)
		if !claimed {
			b.NotTested("%s: how long it may wait between two connections is not known; claim base_ms and multiplier, or cap_ms", op.Case)
			return
		}
		bound = min(bound+wait, maxWait)
	}
	if end := b.end(op); bound+tolerance(bound) >= end {
		b.NotTested("%s: %s of %s, and the waits between them, may rightly take until the end of the time, %s", op.Case, count(tries, "connection"), show(limit), show(end))
		return
	}
	b.Within(op, "the answer, after "+count(tries, "connection")+" of "+show(limit)+" each,", op.Elapsed(), bound)
}
