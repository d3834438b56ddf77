package mutants_test

import (
	"slices"
	"testing"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/mutants"
)

func TestMutantsNameRulesInOrder(t *testing.T) {
	var order []string
	for _, r := range suites.Rules() {
		order = append(order, string(r.ID))
	}
	for _, m := range mutants.All() {
		if len(m.Trips) == 0 {
			t.Errorf("%s: it breaks no rule: want a variant", m.Name)
		}
		last := -1
		for _, id := range m.Trips {
			place := slices.Index(order, id)
			if place <= last {
				t.Errorf("%s: got %s after %v, want known rules in the catalogue's order", m.Name, id, m.Trips)
			}
			last = place
		}
	}
}

func TestVariantsBreakNothing(t *testing.T) {
	for _, m := range mutants.Variants() {
		if len(m.Trips) != 0 {
			t.Errorf("%s: got a variant that breaks %v, want a mutant", m.Name, m.Trips)
		}
	}
}

func TestNamesAreUniqueAndCarried(t *testing.T) {
	seen := map[string]bool{"steady": true}
	for _, m := range slices.Concat(mutants.All(), mutants.Variants()) {
		if seen[m.Name] {
			t.Errorf("got %s twice", m.Name)
		}
		seen[m.Name] = true
		if m.Defect == "" {
			t.Errorf("%s: got no word on what it does", m.Name)
		}
		if got := m.Carrier(1).Hello().Name; got != m.Name {
			t.Errorf("got a carrier named %q, want %q", got, m.Name)
		}
	}
}

// A mutant must not change the reference, nor a client of another play.
func TestMutantsLeaveTheReferenceAlone(t *testing.T) {
	before := steady.Hello()
	for _, m := range slices.Concat(mutants.All(), mutants.Variants()) {
		m.Carrier(1)
		m.Policy(steady.Default())
	}
	if after := steady.Hello(); !slices.Equal(after.Features, before.Features) || after.Claims.Jitter != before.Claims.Jitter {
		t.Errorf("got %+v, want %+v", after, before)
	}
	for _, m := range mutants.Variants() {
		if m.Name == "no-retries" && m.Carrier(1).Hello().Has(drive.Retries) {
			t.Error("no-retries claims to retry")
		}
	}
}
