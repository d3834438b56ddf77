package suites

import (
	"cmp"
	"slices"
	"testing"
)

// Reports, docs and mutants follow the catalogue: family by family, and by number within each.
func TestRulesAreInTheCataloguesOrder(t *testing.T) {
	families := []Family{
		Deadlines, Retrying, RetryAfter, Backoff, Budgets, Idempotency, Breakers, Bulkheads, Propagation, Connections, Cancellation, Hedges, Outcomes,
	}
	sorted := slices.SortedStableFunc(slices.Values(Rules()), func(a, b Rule) int {
		return cmp.Or(slices.Index(families, a.Family)-slices.Index(families, b.Family), cmp.Compare(a.ID, b.ID))
	})
	for i, r := range Rules() {
		if r.ID != sorted[i].ID {
			t.Fatalf("got %s, want %s there", r.ID, sorted[i].ID)
		}
	}
}
