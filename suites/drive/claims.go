package drive

import (
	"slices"
	"time"
)

// Feature is a word for something a client can do; rules that need one are "unsupported" for a client without it.
type Feature string

// The features of version 1 of the adapter contract.
const (
	Retries             Feature = "retries"
	HonoursRetryAfter   Feature = "retry-after"
	IdempotencyKey      Feature = "idempotency-key"
	Cancel              Feature = "cancel"
	Budget              Feature = "budget"
	Breaker             Feature = "breaker"
	Bulkhead            Feature = "bulkhead"
	Hedging             Feature = "hedging"
	DeadlinePropagation Feature = "deadline-propagation"
	Redirects           Feature = "redirects"
	StreamBody          Feature = "stream-body"
	HTTP2               Feature = "http2"
	PolicyPerCall       Feature = "policy"
	// ProcessPerCall is set by the exec carrier itself: nothing of such a client outlives a call, connections least of all.
	ProcessPerCall Feature = "process-per-call"
)

// Has tells whether the client declared the feature.
func (h Hello) Has(f Feature) bool { return slices.Contains(h.Features, f) }

// Claims are what a client says of its own policy, in the words of the adapter contract. Zero means not claimed.
type Claims struct {
	MaxAttempts      int     `json:"max_attempts,omitempty" yaml:"max_attempts"` // the first one counts
	BaseMS           int     `json:"base_ms,omitempty" yaml:"base_ms"`
	CapMS            int     `json:"cap_ms,omitempty" yaml:"cap_ms"`
	Multiplier       float64 `json:"multiplier,omitempty" yaml:"multiplier"`
	Jitter           Jitter  `json:"jitter,omitempty" yaml:"jitter"`
	JitterPercent    float64 `json:"jitter_percent,omitempty" yaml:"jitter_percent"`
	RetryStatuses    []int   `json:"retry_statuses,omitempty" yaml:"retry_statuses"`
	AttemptTimeoutMS int     `json:"attempt_timeout_ms,omitempty" yaml:"attempt_timeout_ms"`
	ConnectTimeoutMS int     `json:"connect_timeout_ms,omitempty" yaml:"connect_timeout_ms"`
	BoundMS          int     `json:"bound_ms,omitempty" yaml:"bound_ms"` // no call lasts longer, deadline or not
	KeyHeader        string  `json:"key_header,omitempty" yaml:"key_header"`
}

// Jitter is how a client spreads its waits.
type Jitter string

const (
	NoJitter           Jitter = "none"
	FullJitter         Jitter = "full"         // U(0, c)
	EqualJitter        Jitter = "equal"        // U(c/2, c)
	DecorrelatedJitter Jitter = "decorrelated" // U(base, 3 x the last wait)
	PercentJitter      Jitter = "percent"      // c +- jitter_percent
)

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// Base, Cap and Bound are the claims as durations.
func (c Claims) Base() time.Duration  { return ms(c.BaseMS) }
func (c Claims) Cap() time.Duration   { return ms(c.CapMS) }
func (c Claims) Bound() time.Duration { return ms(c.BoundMS) }
