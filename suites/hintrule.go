package suites

import (
	"slices"
	"time"

	"github.com/brownout-dev/brownout/suites/transcript"
)

// HintRule names the specification whose word on Retry-After counts, where published ones disagree.
type HintRule string

const (
	// ByRFC: the hint is the least wait; who does not want to wait so long gives up (RFC 9110, 10.2.3).
	ByRFC HintRule = "rfc"
	// ByAWS: the hint is raised to the own backoff, and cut down to the own backoff and five seconds (AWS SDKs and Tools Reference Guide, Retry
	// behavior, version 2.1 of the standard mode).
	ByAWS HintRule = "aws"
	// ByGRPC: the hint is the wait, exactly, whatever the own backoff says (gRPC A6, Pushback).
	ByGRPC HintRule = "grpc"
)

// HintRules lists them, the usual one first.
func HintRules() []HintRule { return []HintRule{ByRFC, ByAWS, ByGRPC} }

// Apply gives the rules as the specification has them. Those that it agrees with stay as they are; the others say in their verdict's detail
// whose word was taken.
func (h HintRule) Apply(rules []Rule) []Rule {
	rules = slices.Clone(rules)
	for i, r := range rules {
		if holds := h.variant(r); holds != nil {
			rules[i].By = map[HintRule]string{
				ByAWS:  "judged as AWS SDKs have it: a hint is cut down to the own backoff and " + show(awsMost),
				ByGRPC: "judged as gRPC A6 has it: a hint is the wait, exactly",
			}[h]
			rules[i].Holds = holds
		}
	}
	return rules
}

// variant is the judge of a rule that the specification has otherwise than RFC 9110; nil = it agrees.
func (h HintRule) variant(r Rule) func(*Bench, transcript.Transcript) {
	switch h {
	case ByAWS:
		switch r.ID {
		case "RA-07", "RA-09":
			return cutDown(0)
		case "RA-08":
			return cutDown(30 * time.Second)
		}
	case ByGRPC:
		switch r.ID {
		case "RA-01":
			return exactly(2*time.Second, r.Holds)
		case "RA-02":
			return exactly(3*time.Second, r.Holds)
		case "RA-05", "RA-10", "RA-11":
			return func(b *Bench, _ transcript.Transcript) {
				b.NotTested("it asks for more than the hint, which is the wait, exactly")
			}
		}
	}
	return nil
}

// awsMost is what AWS SDKs wait beyond their own backoff at the most, whatever the hint.
const awsMost = 5 * time.Second

// cutDown expects a client to cut a long hint down to no less than what AWS SDKs do, and its calls to keep their deadlines. That it came before the
// time it was told, if it did, is a fact for the report.
func cutDown(told time.Duration) func(*Bench, transcript.Transcript) {
	return func(b *Bench, t transcript.Transcript) {
		ops := t.In()
		for op := range b.Reached(ops) {
			b.Expect(op).To(WaitAtLeast(awsMost, 429, 503))
			b.Within(op, "the answer", op.Elapsed(), time.Duration(op.Deadline))
			early := slices.ContainsFunc(op.Waits(), func(w time.Duration) bool { return w < told-transcript.TimerSlack })
			if len(op.Attempts) > 1 && early {
				b.record(show(told)+", as the server asked", "waits of "+list(op.Waits()), Observed)
			}
		}
		b.wantsRetries(ops)
	}
}

// exactly adds to a rule's lower bound that no wait is longer than what was asked for.
func exactly(asked time.Duration, atLeast func(*Bench, transcript.Transcript)) func(*Bench, transcript.Transcript) {
	return func(b *Bench, t transcript.Transcript) {
		atLeast(b, t)
		for op := range b.Repeated(t.In()) {
			for _, w := range op.Waits() {
				b.Within(op, "the next attempt after the hint", w, asked)
			}
		}
	}
}
