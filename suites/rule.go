// Package suites is the conformance suite: the rules by family, their judges and matchers, and the run that drives a client through the
// scenarios and judges what came of it.
//
// Drive first, judge later: plays end in transcripts, and a rule's judge is a pure function over one transcript. So the same judges
// run on the command line, under go test, over saved transcripts, and in the suite's own tests.
package suites

import (
	"strings"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// RuleID names a rule for good: an id is never used for another meaning.
type RuleID string

// Rule is one thing that is required of a client.
type Rule struct {
	ID      RuleID
	Level   Level
	Family  Family
	Profile Profile
	Says    string // the requirement, as a sentence without a subject
	Source  string // where it is written
	Under   scenarios.Name
	Needs   drive.Feature // where a client without it and without a sign of it is "unsupported" instead of "not-tested"; may be empty
	// Declared leaves clients alone that do not declare what the rule needs: they show no sign of it that could be judged, and are not played.
	Declared bool
	// Lasting is a rule about what a client keeps from one call to the next, so that there is nothing of it where each call is a process of its own.
	Lasting bool
	Why     string // what users suffer when it is broken
	Right   string // how clients get it right
	// Holds judges a transcript of the scenario. It must be pure: what it expects, it expects through the bench.
	Holds func(b *Bench, t transcript.Transcript)
	// By is whose word it is judged by, where that is not what Source says; see [HintRule].
	By string
}

// Level is an RFC 2119 word, as this suite uses it: a broken MUST fails a client, a broken SHOULD warns, a MAY is only observed.
type Level string

const (
	Must      Level = "MUST"
	MustNot   Level = "MUST NOT"
	Should    Level = "SHOULD"
	ShouldNot Level = "SHOULD NOT"
	May       Level = "MAY"
)

// broken is the result of a rule of this level that does not hold.
func (l Level) broken() Result {
	switch {
	case strings.HasPrefix(string(l), "MUST"):
		return Fail
	case strings.HasPrefix(string(l), "SHOULD"):
		return Warn
	}
	return Observed
}

// Family groups rules by what they are about; its short name begins their ids.
type Family string

const (
	Deadlines    Family = "DL"
	Retrying     Family = "RT"
	RetryAfter   Family = "RA"
	Backoff      Family = "BO"
	Budgets      Family = "RB"
	Idempotency  Family = "ID"
	Breakers     Family = "CB"
	Bulkheads    Family = "BH"
	Propagation  Family = "DP"
	Connections  Family = "CX"
	Cancellation Family = "CN"
	Hedges       Family = "HG"
	Outcomes     Family = "OC"
)

// Title is the family's name for people.
func (f Family) Title() string {
	return map[Family]string{
		Deadlines:    "deadlines and timeouts",
		Retrying:     "what may be retried",
		RetryAfter:   "Retry-After",
		Backoff:      "backoff and jitter",
		Budgets:      "retry budgets and amplification",
		Idempotency:  "idempotency keys and effects",
		Breakers:     "circuit breakers",
		Bulkheads:    "bulkheads",
		Propagation:  "deadline propagation",
		Connections:  "connection and message hygiene",
		Cancellation: "cancellation",
		Hedges:       "hedging",
		Outcomes:     "what the caller is told",
	}[f]
}

// Profile is the group of rules that a client may be held to on its own.
type Profile string

const (
	Basic     Profile = "basic"     // deadlines, plain retries
	Polite    Profile = "polite"    // Retry-After, backoff, jitter
	Safe      Profile = "safe"      // idempotency, never apply twice, cancellation
	Isolating Profile = "isolating" // breaker, bulkhead, propagation
)
