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

// features lists the words that a client may declare, in the contract's order. ProcessPerCall is not among them: its carrier knows better.
func features() []Feature {
	return []Feature{Retries, HonoursRetryAfter, IdempotencyKey, Cancel, Budget, Breaker, Bulkhead, Hedging, DeadlinePropagation, Redirects, StreamBody, HTTP2, PolicyPerCall}
}

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

	HintJitterMS   int    `json:"hint_jitter_ms,omitempty" yaml:"hint_jitter_ms"`     // how much later than a Retry-After it may come back
	PushbackHeader string `json:"pushback_header,omitempty" yaml:"pushback_header"`   // the header that forbids a retry
	KeyRetentionMS int    `json:"key_retention_ms,omitempty" yaml:"key_retention_ms"` // how long it takes a server to keep a key

	CountsRedirects bool `json:"counts_redirects,omitempty" yaml:"counts_redirects"` // max_attempts counts redirect hops
	CountsConflicts bool `json:"counts_conflicts,omitempty" yaml:"counts_conflicts"` // max_attempts counts 409s that were waited out

	DeadlineHeader DeadlineHeader `json:"deadline_header,omitzero" yaml:"deadline_header"`
	Budget         RetryBudget    `json:"budget,omitzero" yaml:"budget"`
	Breaker        CircuitBreaker `json:"breaker,omitzero" yaml:"breaker"`
	Bulkhead       BulkheadLimit  `json:"bulkhead,omitzero" yaml:"bulkhead"`
	Hedge          HedgePolicy    `json:"hedge,omitzero" yaml:"hedge"`
}

// DeadlineHeader is how a client tells its server how long it will wait.
type DeadlineHeader struct {
	Name   string         `json:"name,omitempty" yaml:"name"`
	Format DeadlineFormat `json:"format,omitempty" yaml:"format"`
}

// DeadlineFormat is how a deadline is written in a header.
type DeadlineFormat string

const (
	MillisecondsLeft DeadlineFormat = "ms"
	SecondsLeft      DeadlineFormat = "seconds"
	GRPCTimeout      DeadlineFormat = "grpc" // "1500m"
	RFC3339Time      DeadlineFormat = "rfc3339"
)

// RetryBudget is how many retries a client allows itself beside its first attempts.
type RetryBudget struct {
	Ratio        float64 `json:"ratio,omitempty" yaml:"ratio"` // retries for each first attempt
	MinPerSecond float64 `json:"min_per_second,omitempty" yaml:"min_per_second"`
	Burst        int     `json:"burst,omitempty" yaml:"burst"` // retries that may be saved up
}

// CircuitBreaker is when a client stops calling a failing dependency, and how it comes back.
type CircuitBreaker struct {
	Threshold  int `json:"threshold,omitempty" yaml:"threshold"` // failures within the window that open it
	WindowMS   int `json:"window_ms,omitempty" yaml:"window_ms"`
	CooldownMS int `json:"cooldown_ms,omitempty" yaml:"cooldown_ms"`
	Probes     int `json:"probes,omitempty" yaml:"probes"` // calls let through half open; 0 = 1
}

// BulkheadLimit is how many calls to one dependency a client has under way.
type BulkheadLimit struct {
	Limit int `json:"limit,omitempty" yaml:"limit"`
}

// HedgePolicy is when a client asks a second time without waiting for the first answer.
type HedgePolicy struct {
	DelayMS     int `json:"delay_ms,omitempty" yaml:"delay_ms"`
	MaxAttempts int `json:"max_attempts,omitempty" yaml:"max_attempts"` // the first one counts
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

// Base, Cap, Bound, ConnectTimeout, AttemptTimeout and KeyRetention are the claims as durations; 0 = not claimed.
func (c Claims) Base() time.Duration  { return ms(c.BaseMS) }
func (c Claims) Cap() time.Duration   { return ms(c.CapMS) }
func (c Claims) Bound() time.Duration { return ms(c.BoundMS) }

func (c Claims) ConnectTimeout() time.Duration { return ms(c.ConnectTimeoutMS) }
func (c Claims) AttemptTimeout() time.Duration { return ms(c.AttemptTimeoutMS) }
func (c Claims) KeyRetention() time.Duration   { return ms(c.KeyRetentionMS) }
