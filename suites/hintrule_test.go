package suites_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// Specifications disagree on Retry-After: a client that keeps to one of them breaks another's rules, and is to be told whose word was taken.
func TestHintRules(t *testing.T) {
	type wait = func(right time.Duration, own time.Duration) time.Duration
	clamps := func(most time.Duration) wait {
		return func(right, own time.Duration) time.Duration { return min(right, own+most) }
	}
	var asked wait = func(right, own time.Duration) time.Duration {
		if right > own { // the hint, with what was put on top of it: whole seconds
			return right.Truncate(time.Second)
		}
		return right
	}
	tests := []struct {
		name   string
		wait   wait
		by     suites.HintRule
		breaks map[suites.RuleID]suites.Result
		reason string
	}{
		{"clamps as AWS does", clamps(5 * time.Second), suites.ByAWS, map[suites.RuleID]suites.Result{"RA-08": suites.Observed}, "a fact, by its own specification"},
		{"clamps as AWS does", clamps(5 * time.Second), suites.ByRFC, map[suites.RuleID]suites.Result{"RA-08": suites.Fail}, "the server asked for more"},
		{"clamps to a second", clamps(time.Second), suites.ByAWS, map[suites.RuleID]suites.Result{"RA-01": suites.Fail, "RA-02": suites.Fail, "RA-07": suites.Fail, "RA-08": suites.Fail, "RA-09": suites.Fail, "RA-11": suites.Warn}, "AWS allows no less than five"},
		{"waits exactly", asked, suites.ByGRPC, nil, "as A6 has it"},
		{"waits exactly", asked, suites.ByRFC, map[suites.RuleID]suites.Result{"RA-11": suites.Warn}, "everybody comes back together"},
	}
	for _, tt := range tests {
		t.Run(tt.name+" by "+string(tt.by), func(t *testing.T) {
			t.Parallel()
			p := steady.Default()
			p.Seed = 20
			right := p.Wait
			p.Wait = func(r *rand.Rand, own time.Duration, a steady.Attempt) time.Duration {
				return tt.wait(right(r, own, a), own)
			}
			named := []suites.RuleID{"RA-01", "RA-02", "RA-07", "RA-08", "RA-09", "RA-11"}
			rules := tt.by.Apply(slices.DeleteFunc(suites.Rules(), func(r suites.Rule) bool { return !slices.Contains(named, r.ID) }))
			j := judgeVirtually(t, clients.Steady(p), 20, rules)
			for i, v := range j.Verdicts {
				want, broken := tt.breaks[v.Rule]
				held := v.Result == suites.Pass || rules[i].By != "" && v.Result == suites.NotTested
				if broken && v.Result != want || !broken && !held {
					t.Errorf("%s: got %s (%s), want %q: %s", v.Rule, v.Result, v.Detail, want, tt.reason)
				}
				if by := rules[i].By; by != "" && !strings.HasSuffix(v.Detail, by) {
					t.Errorf("%s: got detail %q, want it to say %q", v.Rule, v.Detail, by)
				}
			}
		})
	}
}
