package main

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/mutants"
)

// TestRulesJSON holds the list to its agreed form: other programs read it.
func TestRulesJSON(t *testing.T) {
	got := said(t, "rules", "--json")
	if got.code != exitConformant || got.err != "" {
		t.Fatalf("got exit %d, stderr %q, want 0 and nothing", got.code, got.err)
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(got.out), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != len(suites.Rules()) {
		t.Fatalf("got %d rules, want %d", len(list), len(suites.Rules()))
	}
	fields := []string{"family", "id", "level", "mutants", "profile", "scenario", "source", "statement"}
	words := map[string]*regexp.Regexp{ // as well as being those of the rule
		"id":        regexp.MustCompile(`^[A-Z]{2}-[0-9]{2}$`),
		"level":     regexp.MustCompile(`^(MUST|MUST NOT|SHOULD|SHOULD NOT|MAY)$`),
		"family":    regexp.MustCompile(`^[A-Z]{2}$`),
		"profile":   regexp.MustCompile(`^[a-z]+$`),
		"scenario":  regexp.MustCompile(`^[a-z0-9-]+$`),
		"statement": regexp.MustCompile(`^\S.*\S$`),
		"source":    regexp.MustCompile(`^\S.*\S$`),
	}
	seen := map[string]bool{}
	for i, r := range list {
		rule := suites.Rules()[i]
		id := string(rule.ID)
		same := map[string]string{
			"id": id, "level": string(rule.Level), "family": string(rule.Family), "profile": string(rule.Profile),
			"scenario": string(rule.Under), "statement": rule.Says, "source": rule.Source,
		}
		if keys := slices.Sorted(maps.Keys(r)); !slices.Equal(keys, fields) {
			t.Errorf("%s: got fields %v, want exactly %v", id, keys, fields)
		}
		for field, want := range words {
			if value, _ := r[field].(string); !want.MatchString(value) || value != same[field] {
				t.Errorf("%s: got %s %#v, want %q, which is %s", id, field, r[field], same[field], want)
			}
		}
		if seen[id] || !strings.HasPrefix(id, same["family"]+"-") {
			t.Errorf("got %s twice, or not of family %s", id, same["family"])
		}
		seen[id] = true
		if _, err := scenarios.Named(scenarios.Name(r["scenario"].(string))); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		caught, ok := r["mutants"].([]any)
		if !ok || len(caught) == 0 {
			t.Errorf("%s: got mutants %#v, want the names of those that it catches: a rule that catches none is not done", id, r["mutants"])
		}
	}
}

func TestRulesForPeople(t *testing.T) {
	got := said(t, "rules")
	for _, r := range suites.Rules() {
		if !strings.Contains(got.out, string(r.ID)+" ") || !strings.Contains(got.out, r.Says) {
			t.Errorf("%s: not in the list with what it says", r.ID)
		}
	}
}

func TestExplain(t *testing.T) {
	for _, r := range suites.Rules() {
		got := said(t, "explain", strings.ToLower(string(r.ID)))
		if got.code != exitConformant || !strings.HasPrefix(got.out, string(r.ID)+"  "+string(r.Level)) {
			t.Fatalf("%s: got exit %d: %s%s", r.ID, got.code, got.out, got.err)
		}
		flat := strings.Join(strings.Fields(got.out), " ")
		wants := []string{r.Says, r.Why, r.Right, r.Source, string(r.Under)}
		for _, m := range mutants.All() {
			if slices.Contains(m.Trips, string(r.ID)) {
				wants = append(wants, m.Name+": "+m.Defect)
			}
		}
		for _, want := range wants {
			if !strings.Contains(flat, strings.Join(strings.Fields(want), " ")) {
				t.Errorf("%s: want %q in it", r.ID, want)
			}
		}
	}
	if got, want := said(t, "explain", "RA-08"), "With --profile polite:aws\n  judged as AWS SDKs have it"; !strings.Contains(got.out, want) {
		t.Errorf("got %s\nwant %q in it", got.out, want)
	}
	for _, row := range []struct{ rule, want, why string }{
		{"DL-07", "    every connection: blackhole connect\n    a read: GET /v1/catalogue, sound\n", "what goes wrong is not in the script"},
		{"RT-01", "    connection refused: POST /v1/payments, where nobody listens\n", "no script could say it"},
		{"RA-11", "  brownout scenario show same-hint-for-all has", "the deadlines and numbers are there"},
	} {
		if got := said(t, "explain", row.rule); !strings.Contains(got.out, row.want) {
			t.Errorf("%s (%s): got %s\nwant %q in it", row.rule, row.why, got.out, row.want)
		}
	}
	if got := said(t, "explain", "RT-*"); strings.Count(got.out, "What goes wrong\n") < 2 {
		t.Errorf("got %q, want all rules that match", got.out)
	}
}
