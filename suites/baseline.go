package suites

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/goccy/go-yaml"

	"github.com/brownout-dev/brownout/scenarios"
)

// Baseline is what is known to fail, by rule, and why that is put up with for now. It accepts what it says and nothing else: a failure that is
// not in it counts, and so does an entry that is not true any more.
type Baseline map[RuleID]Known

// Known is one failure that is put up with.
type Known struct {
	Result Result `json:"result" yaml:"result"` // fail or warn
	Reason string `json:"reason" yaml:"reason"`
}

// mostBaseline is far more than a baseline of every rule needs; it keeps a wrong path from being read for ever.
const mostBaseline = 1 << 20

// ReadBaseline reads a file such as
//
//	RT-10: {result: fail, reason: the setting counts retries; see the client's issue 21}
//
// An unknown rule or word, a result that is no failure and a missing reason are refused.
func ReadBaseline(file string, rules []Rule) (Baseline, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > mostBaseline {
		return nil, fmt.Errorf("baseline: %s: want a file of at most %d bytes", file, mostBaseline)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	if scenarios.Nested(text) > scenarios.MostNested {
		return nil, fmt.Errorf("%s: brackets or lists nest deeper than %d: want rules, each with result and reason", file, scenarios.MostNested)
	}
	var b Baseline
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&b); err != nil && !errors.Is(err, io.EOF) {
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			p := at.GetToken().Position
			return nil, fmt.Errorf("%s:%d:%d: %s: want rules, each with result and reason", file, p.Line, p.Column, at.GetMessage())
		}
		return nil, fmt.Errorf("%s: %w: want rules, each with result and reason", file, err)
	}
	if err := b.check(rules); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return b, nil
}

func (b Baseline) check(rules []Rule) error {
	var wrong []error
	for id, known := range b {
		switch {
		case !slices.ContainsFunc(rules, func(r Rule) bool { return r.ID == id }):
			wrong = append(wrong, fmt.Errorf("%s: no such rule: want ids that brownout rules lists", id))
		case known.Result != Fail && known.Result != Warn:
			wrong = append(wrong, fmt.Errorf("%s: result %q: want fail or warn", id, known.Result))
		case known.Reason == "":
			wrong = append(wrong, fmt.Errorf("%s: no reason: want one, for those who read it later", id))
		}
	}
	slices.SortFunc(wrong, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errors.Join(wrong...)
}

// Apply says of each verdict whether the baseline accepts it, or is stale. A known failure that could not be decided this time is accepted as
// well; one that was not tested is left as it is.
func (b Baseline) Apply(verdicts []Verdict) []Verdict {
	verdicts = slices.Clone(verdicts)
	for i, v := range verdicts {
		known, ok := b[v.Rule]
		if !ok {
			continue
		}
		better := v.Result == Pass || v.Result == Observed || known.Result == Fail && v.Result == Warn
		switch {
		case better:
			verdicts[i].Stale = fmt.Sprintf("the baseline says %s, but it is %s now: take the entry out, or say so there", known.Result, v.Result)
		case v.Result == known.Result || v.Result == Inconclusive:
			verdicts[i].Accepted = known.Reason
		}
	}
	return verdicts
}
