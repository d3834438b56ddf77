package suites

import (
	"fmt"

	"github.com/brownout-dev/brownout/suites/transcript"
)

func oneRetryOwner() Rule {
	return Rule{
		ID: "RB-05", Level: Must, Family: Budgets, Profile: Polite,
		Says:   "one layer owns the retries: attempts do not multiply across layers",
		Source: "Google SRE Book, 21 (retry only at the layer immediately above the one that rejects); AWS Builders' Library, Timeouts, retries and backoff with jitter (five layers of three retries: 243 times the load)",
		Under:  "unavailable-for-ever",
		Why: "Three layers that try three times each are 27 attempts for one click: the wrapper around the SDK around the HTTP library, each of them " +
			"written by somebody who meant well. The dependency sees 27 times its load when it can carry least.",
		Right: "Choose one layer, the one that knows whether the operation is safe to repeat, and switch the retries of all others off.",
		Holds: func(b *Bench, t transcript.Transcript) {
			over, multiples, total, full := 0, 0, 0, 0
			var worst transcript.Op
			claimed := b.Client.Claims.MaxAttempts
			for op := range b.Repeated(t.In(unavailable)) {
				if claimed < 2 {
					b.NotTested("%s: what one layer makes is not known: claim max_attempts, of 2 or more", op.Case)
					return
				}
				b.expectsOf(op)
				n := len(op.Attempts)
				total++
				full += n / claimed
				if n <= claimed {
					continue
				}
				over++
				if n%claimed == 0 {
					multiples++
				}
				if n > len(worst.Attempts) && n%claimed == 0 {
					worst = op
				}
			}
			if full == 0 {
				b.Vacuous("no operation had all the attempts of one layer: a budget, a breaker or the time ended them before")
			}
			// Attempts that are too many for another reason are a multiple now and then; those of layers are, but where time cuts them short.
			if multiples*2 > over && multiples*2 > total {
				b.about(worst)
				b.found("the "+count(claimed, "attempt")+" of one layer",
					fmt.Sprintf("%d times as many: %s, as if layers with retries were stacked", len(worst.Attempts)/claimed, traffic(worst)))
			}
		},
	}
}
