package suites_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/mutants"
)

// judgeVirtually judges a client by some rules in virtual time, where a second play would be the first once more.
func judgeVirtually(t *testing.T, c drive.Carrier, seed uint64, rules []suites.Rule) (j suites.Judgement) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		j, err = suites.Run{Lab: lab.Virtual(c, seed), Rules: rules, Once: true}.Do(context.Background())
		if err != nil {
			t.Fatal(err)
		}
	})
	return j
}

// The references are correct clients: no rule finds anything in any of them, or is in doubt, and each rule is passed by one of them at least. What
// one cannot show, since it has no budget or because its breaker goes before its retries, another one shows.
func TestTheReferencesPassEveryRule(t *testing.T) {
	rules := suites.Rules()
	passed := make([][]string, len(rules))
	for _, name := range clients.References() {
		t.Run(name, func(t *testing.T) {
			for i, v := range judgeVirtually(t, bundled(t, name), 1, rules).Verdicts {
				t.Logf("%-12s %s %s %v", v.Result, rules[i].ID, v.Detail, v.Measured)
				switch v.Result {
				case suites.Pass:
					passed[i] = append(passed[i], name)
				case suites.NotTested, suites.Unsupported:
				default:
					t.Errorf("%s: %s: %s", v.Rule, v.Result, v.Detail)
				}
			}
		})
	}
	for i, r := range rules {
		if len(passed[i]) == 0 && !aVariantPasses(t, r) {
			t.Errorf("%s: no reference passes it, and no variant of one", r.ID)
		}
	}
}

// aVariantPasses is for what no reference does: a correct client of other habits does it.
func aVariantPasses(t *testing.T, r suites.Rule) bool {
	return slices.ContainsFunc(mutants.Variants(), func(m mutants.Mutant) bool {
		v := judgeVirtually(t, m.Carrier(1), 1, []suites.Rule{r}).Verdicts[0]
		t.Logf("%-12s %s %s: %s", v.Result, r.ID, m.Name, v.Detail)
		return v.Result == suites.Pass
	})
}

// bundled gives the carrier of a client that comes with the tool.
func bundled(t *testing.T, name string) drive.Carrier {
	t.Helper()
	b, err := clients.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := b.Carrier()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
