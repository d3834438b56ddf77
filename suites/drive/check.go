package drive

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// complaint is what is wrong with a field of a claims file.
type complaint struct{ field, says string }

// check refuses what the contract has no word for, and claims that contradict each other.
func (p places) check(h Hello) error {
	found := slices.Concat(checkFeatures(h), checkPolicy(h), checkParts(h))
	if len(found) == 0 {
		return nil
	}
	// The first in the file's order, since that is how a person reads it.
	first := slices.MinFunc(found, func(a, b complaint) int { return cmp.Compare(p.offset(a.field), p.offset(b.field)) })
	return &fieldError{p[first.field], first.field, first.says}
}

func (p places) offset(field string) int {
	if t := p[field]; t != nil && t.Position != nil {
		return t.Position.Offset
	}
	return 0
}

// longestMS is the longest time that can be claimed, in milliseconds: far more than any client waits, and far less than a Duration holds.
const longestMS = 365 * 24 * 60 * 60 * 1000

func checkFeatures(h Hello) (found []complaint) {
	for i, f := range h.Features {
		field := fmt.Sprintf("features[%d]", i+1)
		switch {
		case !slices.Contains(features(), f):
			found = append(found, complaint{field, fmt.Sprintf("unknown feature %q: want one of %s", f, join(features()))})
		case slices.Contains(h.Features[:i], f):
			found = append(found, complaint{field, fmt.Sprintf("%q is there twice", f)})
		}
	}
	return found
}

// refusing gives what adds a complaint about a claim that is bad.
func refusing(found *[]complaint) func(bad bool, field, format string, args ...any) {
	return func(bad bool, field, format string, args ...any) {
		if bad {
			*found = append(*found, complaint{"claims." + field, fmt.Sprintf(format, args...)})
		}
	}
}

// checkPolicy looks at the claims about attempts and waits.
func checkPolicy(h Hello) (found []complaint) {
	c := h.Claims
	refuse := refusing(&found)
	for field, value := range map[string]int{
		"breaker.window_ms": c.Breaker.WindowMS, "breaker.cooldown_ms": c.Breaker.CooldownMS, "hedge.delay_ms": c.Hedge.DelayMS,
		"base_ms": c.BaseMS, "cap_ms": c.CapMS, "attempt_timeout_ms": c.AttemptTimeoutMS, "connect_timeout_ms": c.ConnectTimeoutMS,
		"bound_ms": c.BoundMS, "hint_jitter_ms": c.HintJitterMS, "key_retention_ms": c.KeyRetentionMS,
	} {
		refuse(value < 0, field, "%d is below zero: want a positive number, or leave it out", value)
		refuse(int64(value) > longestMS, field, "%d: want at most %d, which is a year", value, longestMS)
	}
	refuse(c.MaxAttempts < 0, "max_attempts", "%d is below zero: want a positive number, or leave it out", c.MaxAttempts)
	refuse(c.MaxAttempts > 1 && !h.Has(Retries), "max_attempts", "%d attempts without the feature \"retries\": declare it, or claim 1 attempt", c.MaxAttempts)
	refuse(c.MaxAttempts == 1 && h.Has(Retries), "max_attempts", "1 attempt, but the feature \"retries\" is declared: the first attempt counts, so want 2 or more")
	refuse(c.CapMS > 0 && c.BaseMS > c.CapMS, "base_ms", "%d is above cap_ms %d: want a base that the cap allows", c.BaseMS, c.CapMS)
	refuse(c.Multiplier != 0 && c.Multiplier < 1, "multiplier", "%g makes waits shrink: want 1 or more", c.Multiplier)
	refuse(c.Jitter != "" && !slices.Contains(jitters(), c.Jitter), "jitter", "unknown jitter %q: want one of %s", c.Jitter, join(jitters()))
	refuse(c.JitterPercent < 0 || c.JitterPercent > 100, "jitter_percent", "%g: want a number from 0 to 100", c.JitterPercent)
	refuse(c.JitterPercent != 0 && c.Jitter != PercentJitter, "jitter_percent", "is only of jitter: percent, not of %q", c.Jitter)
	refuse(c.JitterPercent == 0 && c.Jitter == PercentJitter, "jitter", "percent needs jitter_percent: how far a wait may be from its middle")
	for i, status := range c.RetryStatuses {
		refuse(status < 300 || status > 599, fmt.Sprintf("retry_statuses[%d]", i+1), "%d: want a status from 300 to 599; a success is never repeated", status)
	}
	return found
}

// fieldName is what may name a header field (RFC 9110, 5.1 and 5.6.2).
var fieldName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// checkParts looks at header names and at the claims that belong to a feature of their own.
func checkParts(h Hello) (found []complaint) {
	c := h.Claims
	refuse := refusing(&found)
	belongs := func(claimed bool, field string, to Feature) {
		refuse(claimed && !h.Has(to), field, "is claimed without the feature %q: declare it, or leave the claim out", to)
	}
	for field, name := range map[string]string{"key_header": c.KeyHeader, "pushback_header": c.PushbackHeader, "deadline_header.name": c.DeadlineHeader.Name} {
		refuse(name != "" && !fieldName.MatchString(name), field, "%q cannot name a header field", name)
	}
	belongs(c.DeadlineHeader != DeadlineHeader{}, "deadline_header", DeadlinePropagation)
	refuse(c.DeadlineHeader.Format != "" && !slices.Contains(deadlineFormats(), c.DeadlineHeader.Format), "deadline_header.format",
		"unknown format %q: want one of %s", c.DeadlineHeader.Format, join(deadlineFormats()))
	refuse((c.DeadlineHeader.Name == "") != (c.DeadlineHeader.Format == ""), "deadline_header", "want a name and a format")
	belongs(c.Budget != RetryBudget{}, "budget", Budget)
	refuse(c.Budget.Ratio < 0 || c.Budget.MinPerSecond < 0 || c.Budget.Burst < 0, "budget", "a number below zero: want how many retries are allowed")
	belongs(c.Breaker != CircuitBreaker{}, "breaker", Breaker)
	refuse(c.Breaker.Threshold < 0 || c.Breaker.Probes < 0, "breaker", "a number below zero")
	belongs(c.Bulkhead != BulkheadLimit{}, "bulkhead", Bulkhead)
	refuse(c.Bulkhead.Limit < 0, "bulkhead.limit", "%d is below zero: want how many calls are let through", c.Bulkhead.Limit)
	belongs(c.Hedge != HedgePolicy{}, "hedge", Hedging)
	refuse(c.Hedge.MaxAttempts < 0 || c.Hedge.MaxAttempts == 1, "hedge.max_attempts", "%d: want 2 or more, since the first attempt counts", c.Hedge.MaxAttempts)
	return found
}

func jitters() []Jitter {
	return []Jitter{NoJitter, FullJitter, EqualJitter, DecorrelatedJitter, PercentJitter}
}

func deadlineFormats() []DeadlineFormat {
	return []DeadlineFormat{MillisecondsLeft, SecondsLeft, GRPCTimeout, RFC3339Time}
}

func join[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, ", ")
}
