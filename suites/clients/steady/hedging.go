package steady

import (
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// HedgingHello is what the client says of itself under [Hedging].
func HedgingHello() drive.Hello {
	h := budgeted(Hello(), "hedging")
	p := Hedging()
	h.Features = append(h.Features, drive.Hedging)
	h.Claims.Hedge = drive.HedgePolicy{DelayMS: int(p.Hedge.Delay / time.Millisecond), MaxAttempts: p.Hedge.MaxAttempts}
	return h
}

// Hedging is the default policy with hedged reads, which a retry budget pays for.
//
// The delay is what nineteen answers in twenty take, for a service that means well: so a hedge costs one request more in twenty.
func Hedging() Policy {
	p := Default()
	p.Budget = usualBudget
	p.Hedge = Hedge{Delay: 200 * time.Millisecond, MaxAttempts: 3}
	return p
}
