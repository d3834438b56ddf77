package scenarios

import (
	"slices"
	"strings"
	"time"
)

// Scale names the claim of a client that a case's durations are measured in. They are written for a client that claims one second.
type Scale string

const (
	Unscaled       Scale = ""
	AttemptTimeout Scale = "attempt-timeout"
	ConnectTimeout Scale = "connect-timeout"
	Cooldown       Scale = "cooldown"    // of the circuit breaker
	Window         Scale = "window"      // in which the circuit breaker counts failures
	HedgeDelay     Scale = "hedge-delay" // before the second attempt is hedged
	Retention      Scale = "retention"   // of keys, as the client takes it
)

// Scales lists the claims that durations can be measured in.
func Scales() []Scale {
	return []Scale{AttemptTimeout, ConnectTimeout, Cooldown, Window, HedgeDelay, Retention}
}

// Claim is the word of the claims file for it.
func (s Scale) Claim() string {
	switch s {
	case AttemptTimeout:
		return "attempt_timeout_ms"
	case ConnectTimeout:
		return "connect_timeout_ms"
	case Cooldown:
		return "breaker.cooldown_ms"
	case Window:
		return "breaker.window_ms"
	case HedgeDelay:
		return "hedge.delay_ms"
	case Retention:
		return "key_retention_ms"
	}
	return ""
}

func (s Scale) known() bool { return s == Unscaled || slices.Contains(Scales(), s) }

func join(scales []Scale) string {
	words := make([]string, len(scales))
	for i, s := range scales {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// unit is the claim that scaled cases are written for.
const unit = time.Second

// Fitted gives the scenario for a client, by what it claims of each scale; a case whose scale is not claimed (0) stays as it is written. With
// cases that are measured in the retention of keys, the fake's own is.
func (s Scenario) Fitted(claimed func(Scale) time.Duration) Scenario {
	s.Cases = slices.Clone(s.Cases)
	kept := 1.0
	for i, c := range s.Cases {
		if d := claimed(c.Scale); d > 0 && c.Scale != Unscaled {
			by := float64(d) / float64(unit)
			s.Cases[i] = c.scaled(by)
			if c.Scale == Retention {
				kept = by
			}
		}
	}
	s.Retention = time.Duration(float64(s.Retention) * kept)
	return s
}

func (c Case) scaled(by float64) Case {
	for _, d := range []*time.Duration{&c.Deadline, &c.Every, &c.After, &c.Cancel} {
		*d = time.Duration(float64(*d) * by)
	}
	c.Script = c.Script.Scaled(by)
	return c
}
