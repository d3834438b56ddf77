package suites_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
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

func TestTheReferencePassesEveryRule(t *testing.T) {
	rules := suites.Rules()
	j := judgeVirtually(t, clients.Steady(steady.Default()), 1, rules)
	for i, v := range j.Verdicts {
		t.Logf("%-12s %s %s %v", v.Result, rules[i].ID, v.Detail, v.Measured)
		if v.Result != suites.Pass {
			t.Errorf("%s: %s: %s", v.Rule, v.Result, v.Detail)
		}
	}
}
