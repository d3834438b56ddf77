package suites_test

import (
	"slices"
	"testing"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/mutants"
)

// The kill matrix: each mutant, the reference with one defect, breaks exactly the rules that it says, and no other. A rule that lets its
// mutant pass would let a user's outage pass; one that finds something where nothing is would cost a user's trust.
func TestKillMatrix(t *testing.T) {
	for _, m := range mutants.All() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			expectTrips(t, m)
		})
	}
}

// Correct clients of other habits break nothing.
func TestVariantsAreNotMutants(t *testing.T) {
	for _, m := range mutants.Variants() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			expectTrips(t, m)
		})
	}
}

func TestEveryRuleHasAMutant(t *testing.T) {
	for _, r := range suites.Rules() {
		if len(mutants.Tripping(string(r.ID))) == 0 {
			t.Errorf("%s: no mutant breaks it, so nothing shows that it can fail", r.ID)
		}
	}
}

func expectTrips(t *testing.T, m mutants.Mutant) {
	t.Helper()
	const seed = 20
	rules := suites.Rules()
	j := judgeVirtually(t, m.Carrier(seed), seed, rules)
	var got []string
	for i, v := range j.Verdicts {
		switch v.Result {
		case suites.Fail, suites.Warn, suites.Observed:
			got = append(got, string(rules[i].ID))
			t.Logf("%s %s: %s", v.Rule, v.Result, v.Detail)
		case suites.Broken, suites.Inconclusive:
			t.Errorf("%s: %s: %s", v.Rule, v.Result, v.Detail)
		}
	}
	if !slices.Equal(got, m.Trips) {
		t.Errorf("%s\n got %v\nwant %v", m.Defect, got, m.Trips)
	}
}
