package suites

import (
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// mostGenerous gives what retries may cost where a client declares a budget and names no number: the most that a published default allows (Finagle,
// RetryBudget; Linkerd, retryRatio and minRetriesPerSecond).
func mostGenerous() drive.RetryBudget { return drive.RetryBudget{Ratio: 0.2, MinPerSecond: 10} }

// budgetTolerance is by how much a budget may be over, of first attempts.
const budgetTolerance = 0.02

// mostSaved is what a client may have saved up that does not claim its burst: the most that a published default gives (AWS SDKs, 500 tokens at 5 a
// retry; Finagle, 10 a second for 10 s).
const mostSaved = 100

// rate is what the client says that attempts beyond first ones are paid from.
func (b *Bench) rate() drive.RetryBudget {
	if claimed := b.Client.Claims.Budget; claimed != (drive.RetryBudget{}) {
		return claimed
	}
	return mostGenerous()
}

// saved is what the client's budget may have saved up.
func (b *Bench) saved() float64 {
	if burst := b.Client.Claims.Budget.Burst; burst > 0 {
		return float64(burst)
	}
	return mostSaved
}

// paysFor expects the attempts beyond the first ones of operations, from a moment on at which the client's budget held so much, to be within
// that budget. In any stretch of time a bucket of tokens gives no more than what it held, a share of each first attempt, and its floor: that
// is exact, and no matter of chance.
func (b *Bench) paysFor(ops []transcript.Op, what string, from clock.Moment, held float64) {
	rate := b.rate()
	first, extra, last := sentSince(ops, from)
	most := held + (rate.Ratio+budgetTolerance)*float64(first) + rate.MinPerSecond*last.Sub(from).Seconds()
	b.expectsOfAll()
	b.Measure(what+" per first attempt", fmt.Sprintf("%.2f", float64(extra)/float64(max(first, 1))))
	if float64(extra) > most {
		b.found(fmt.Sprintf("at most %.0f %s for %s: %.0f %% of them, %g a second for %s, %.0f saved up%s",
			most, what, count(first, "first attempt"), 100*rate.Ratio, rate.MinPerSecond, show(last.Sub(from)), held, b.unclaimedBudget()),
			fmt.Sprintf("%d %s", extra, what))
	}
}

func (b *Bench) unclaimedBudget() string {
	switch claimed := b.Client.Claims.Budget; {
	case claimed == (drive.RetryBudget{}):
		return " (the client claims no number of its budget: these are the most generous defaults)"
	case claimed.Burst == 0:
		return " (the client does not claim how many it saves up)"
	}
	return ""
}

// sentSince counts the first attempts of operations since a moment, and those beyond, and gives the moment of the last of all.
func sentSince(ops []transcript.Op, from clock.Moment) (first, extra int, last clock.Moment) {
	last = from
	for _, op := range ops {
		for i, a := range op.Attempts {
			switch {
			case a.FirstByte < from:
				continue
			case i == 0:
				first++
			default:
				extra++
			}
			last = max(last, a.FirstByte)
		}
	}
	return first, extra, last
}

// unpaid gives the operations that ended before they had all their attempts although time was left: a budget refused the next one. How many
// attempts there may be is claimed, or is the most that any had.
func (b *Bench) unpaid(ops []transcript.Op) (unpaid []transcript.Op) {
	most := 0
	for _, op := range ops {
		most = max(most, len(op.Attempts))
	}
	for _, op := range ops {
		n := len(op.Attempts)
		allowed := b.allowed(op)
		if allowed == 0 {
			allowed = most
		}
		if n > 0 && n < allowed && !b.outOfTime(op) && !succeeded(lastOf(op).Status) {
			unpaid = append(unpaid, op)
		}
	}
	return unpaid
}

// tried tells whether the operations put a budget to the test: the client retries, most of them reached the service, and the budget
// had to refuse some retries. Otherwise it says why not, and what held proves nothing.
func (b *Bench) tried(ops []transcript.Op) bool {
	reached, retried := 0, 0
	for _, op := range ops {
		reached += min(len(op.Attempts), 1)
		retried += min(max(len(op.Attempts)-1, 0), 1)
	}
	switch {
	case !b.mayRetry(503) || retried == 0:
		b.Vacuous("the client was not seen to retry")
	case reached < len(ops)/2:
		b.Vacuous("only %d of %s reached the service: a breaker went before the budget", reached, count(len(ops), "operation"))
	case len(b.unpaid(ops)) == 0:
		b.Vacuous("the budget had not to refuse any retry: %d of %s were retried", retried, count(len(ops), "operation"))
	default:
		return true
	}
	return false
}

// paid expects an operation to be retried for which the budget must be there: so many operations went well before, in so long a time, and
// that makes as many tokens as may be needed.
func (b *Bench) paid(op transcript.Op, well int, in time.Duration, needed float64) {
	rate := b.Client.Claims.Budget
	earned := rate.Ratio*float64(well) + rate.MinPerSecond*in.Seconds()
	switch {
	case len(op.Attempts) > 1:
		b.Expect(op).To(BeSentAtLeast(2))
	case b.Client.Has(drive.Breaker):
		b.NotTested("%s: a breaker may have forbidden the retry", op.Case)
	case earned < needed:
		b.NotTested("%s: by what is claimed of the budget, %.1f tokens came back, and %.1f may be needed for a retry", op.Case, earned, needed)
	case b.outOfTime(op):
		b.NotTested("%s: the time that was left may have forbidden the retry", op.Case)
	default:
		b.Expect(op).To(BeSentAtLeast(2))
	}
}
