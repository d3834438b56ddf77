package steady

import (
	"time"

	"github.com/failsafe-go/failsafe-go/bulkhead"

	"github.com/brownout-dev/brownout/suites/drive"
)

// IsolatingHello is what the client says of itself under [Isolating].
func IsolatingHello() drive.Hello {
	c, h := UsualCircuit(), Hello()
	h.Name = "isolating"
	h.Features = append(h.Features, drive.Breaker, drive.Bulkhead, drive.DeadlinePropagation)
	h.Claims.Breaker = drive.CircuitBreaker{
		Threshold:  c.Threshold,
		WindowMS:   int(c.Window / time.Millisecond),
		CooldownMS: int(c.Cooldown / time.Millisecond),
		Probes:     c.Probes,
	}
	h.Claims.Bulkhead = drive.BulkheadLimit{Limit: UsualPlaces}
	h.Claims.DeadlineHeader = drive.DeadlineHeader{Name: TimeoutHeader, Format: drive.MillisecondsLeft}
	return h
}

// Isolating is the default policy with what keeps one dependency's trouble from everything else: a circuit breaker and a bulkhead for each
// origin, and the time left told to the service with each attempt.
//
// It has no retry budget: its breaker stops an outage's retries before a budget would, so that neither could be judged on the other's client.
func Isolating() Policy {
	p := Default()
	p.Breaker = func(string) Breaker { return NewBreaker(UsualCircuit()) }
	p.Bulkhead = func(string) Bulkhead { return bulkhead.New[any](UsualPlaces) }
	p.Tell = TellMilliseconds
	return p
}

// UsualCircuit opens after five failures within two seconds and tries one call a second later. In production the window and the cooldown
// would be several times as long; these let a test see many of them.
func UsualCircuit() Circuit {
	return Circuit{Threshold: 5, Window: 2 * time.Second, Cooldown: time.Second, Probes: 1, Health: Health}
}

// UsualPlaces is how many attempts to one origin are under way at the most.
const UsualPlaces = 8
