package suites

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/onsi/gomega/types"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// seenMark parts what was needed from what was seen in a matcher's failure message.
const seenMark = "\n     seen "

// matcher judges one operation and says in two halves what was needed and what was seen.
type matcher struct {
	needed string
	holds  func(transcript.Op) bool
	seen   func(transcript.Op) string
}

var _ types.GomegaMatcher = matcher{}

func (m matcher) Match(actual any) (bool, error) {
	op, ok := actual.(transcript.Op)
	if !ok {
		return false, fmt.Errorf("want a transcript.Op, got %T", actual)
	}
	return m.holds(op), nil
}

func (m matcher) FailureMessage(actual any) string {
	return m.needed + seenMark + m.seen(actual.(transcript.Op))
}

func (m matcher) NegatedFailureMessage(actual any) string {
	return "not " + m.needed + seenMark + m.seen(actual.(transcript.Op))
}

// BeSentOnce holds for an operation of which exactly one attempt came.
func BeSentOnce() types.GomegaMatcher { return BeSent(1) }

// BeSent holds for an operation of which exactly n attempts came.
func BeSent(n int) types.GomegaMatcher {
	return matcher{
		needed: count(n, "attempt"),
		holds:  func(op transcript.Op) bool { return len(op.Attempts) == n },
		seen:   traffic,
	}
}

// BeSentAtMost holds for an operation of which no more than n attempts came.
func BeSentAtMost(n int) types.GomegaMatcher {
	return matcher{
		needed: "at most " + count(n, "attempt"),
		holds:  func(op transcript.Op) bool { return len(op.Attempts) <= n },
		seen:   traffic,
	}
}

// BeSentAtLeast holds for an operation of which n attempts came, or more.
func BeSentAtLeast(n int) types.GomegaMatcher {
	return matcher{
		needed: "at least " + count(n, "attempt"),
		holds:  func(op transcript.Op) bool { return len(op.Attempts) >= n },
		seen:   traffic,
	}
}

// ApplyAtMostOnce holds for an operation that left no more than one effect.
func ApplyAtMostOnce() types.GomegaMatcher {
	return matcher{
		needed: "at most 1 effect",
		holds:  func(op transcript.Op) bool { return len(op.Effects) <= 1 },
		seen:   traffic,
	}
}

// TellTheTruth holds for an operation whose caller was told nothing that the ledger proves false: not "failed" where an effect was applied,
// not "ok" where none was (of a method that has effects). A caller who was told "unknown", or only "error", was not deceived.
func TellTheTruth() types.GomegaMatcher {
	return matcher{
		needed: "an outcome that the ledger agrees with",
		holds: func(op transcript.Op) bool {
			applied := len(op.Effects) > 0
			return !(op.Outcome == drive.Failed && applied) && !(op.Outcome == drive.OK && !applied)
		},
		seen: func(op transcript.Op) string {
			return fmt.Sprintf("the client said %s, and %s applied", said(op), were(len(op.Effects)))
		},
	}
}

// EndIn holds for an operation whose caller was told one of the outcomes. What a troubled adapter would have told is not known: then it
// finds nothing, and the trouble makes the verdict an error.
func EndIn(outcomes ...drive.Outcome) types.GomegaMatcher {
	words := make([]string, len(outcomes))
	for i, o := range outcomes {
		words[i] = string(o)
	}
	return matcher{
		needed: "the outcome " + strings.Join(words, " or "),
		holds: func(op transcript.Op) bool {
			return slices.Contains(outcomes, op.Outcome) || op.Trouble != "" && !op.GaveUp
		},
		seen: func(op transcript.Op) string { return "the client said " + said(op) },
	}
}

// WaitAtLeast holds for an operation whose every wait after an attempt that was answered with one of the statuses was d or longer; without
// statuses, every wait.
func WaitAtLeast(d time.Duration, after ...int) types.GomegaMatcher {
	waits := func(op transcript.Op) (ds []time.Duration) {
		for i, w := range op.Waits() {
			if len(after) == 0 || slices.Contains(after, op.Attempts[i].Status) {
				ds = append(ds, w)
			}
		}
		return ds
	}
	return matcher{
		needed: "a wait of " + show(d) + " or more, or no further attempt",
		holds: func(op transcript.Op) bool {
			return !slices.ContainsFunc(waits(op), func(w time.Duration) bool { return w < d-transcript.TimerSlack })
		},
		seen: func(op transcript.Op) string { return "waits of " + list(waits(op)) },
	}
}

// UseOneKey holds for an operation whose attempts all carried the same idempotency key.
func UseOneKey() types.GomegaMatcher {
	return matcher{
		needed: "one key on every attempt",
		holds:  func(op transcript.Op) bool { k := op.Keys(); return len(k) == 1 && k[0] != "" },
		seen: func(op transcript.Op) string {
			keys := make([]string, len(op.Attempts))
			for i, a := range op.Attempts {
				keys[i] = "none"
				if a.Key != "" {
					keys[i] = fmt.Sprintf("%.24q", a.Key)
				}
			}
			return strings.Join(keys, ", ") + effects(op)
		},
	}
}

// CarryAKey holds for an operation whose first attempt already carried an idempotency key.
func CarryAKey() types.GomegaMatcher {
	return matcher{
		needed: "an idempotency key from the first attempt on",
		holds:  func(op transcript.Op) bool { return op.Attempts[0].Key != "" },
		seen:   func(op transcript.Op) string { return traffic(op) + ", the first without a key" },
	}
}
