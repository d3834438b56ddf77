package suites

import (
	"fmt"
	"strings"

	"github.com/brownout-dev/brownout/faults"
)

// Result is what came of a rule.
type Result string

const (
	Pass         Result = "pass"
	Fail         Result = "fail"         // a MUST broken
	Warn         Result = "warn"         // a SHOULD broken
	Observed     Result = "observed"     // a MAY
	Unsupported  Result = "unsupported"  // needs a feature that the client does not declare
	NotTested    Result = "not-tested"   // the scenario never exercised it
	Inconclusive Result = "inconclusive" // the machine was too noisy, or two runs disagree
	Broken       Result = "error"        // setup or harness
)

// Results lists all results in the order in which reports count them.
func Results() []Result {
	return []Result{Pass, Fail, Warn, Observed, Unsupported, NotTested, Inconclusive, Broken}
}

// Finding is one place where a rule does not hold.
type Finding struct {
	Operation faults.OperationID `json:"operation,omitempty"`
	Case      string             `json:"case,omitempty"`
	Needed    string             `json:"needed"`
	Seen      string             `json:"seen"`
	result    Result             // what it makes of the rule
	timed     bool               // it rests on how long something took, so a busy machine could have a part in it
}

// Verdict is a rule judged over one transcript.
type Verdict struct {
	Rule     RuleID            `json:"rule"`
	Result   Result            `json:"result"`
	Detail   string            `json:"detail,omitempty"` // one line: why this result
	Findings []Finding         `json:"findings,omitempty"`
	Measured map[string]string `json:"measured,omitempty"`
	Accepted string            `json:"accepted,omitempty"` // why a baseline takes this failure as known; then it is no part of the outcome
	Stale    string            `json:"stale,omitempty"`    // how a baseline's entry is no longer true; that is not conformant
}

// summary is the detail of a verdict with findings: the first, and how many more.
func summary(findings []Finding) string {
	f := findings[0]
	s := fmt.Sprintf("needed %s; seen %s", f.Needed, f.Seen)
	if f.Case != "" {
		s = f.Case + ": " + s
	}
	if more := len(findings) - 1; more > 0 {
		s += fmt.Sprintf(" (and %d more)", more)
	}
	return oneLine(s)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
