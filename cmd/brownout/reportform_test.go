package main

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/portrait"
)

// reportV1 is report.json, schema brownout.report/v1, as those who read it rely on it. A field that is not here is not agreed.
type reportV1 struct {
	Schema      string            `json:"schema"`
	Tool        map[string]string `json:"tool"`
	Client      map[string]any    `json:"client"`
	Args        string            `json:"args"`
	Seed        *uint64           `json:"seed"`
	Strict      bool              `json:"strict"`
	Interrupted bool              `json:"interrupted"`
	Verdict     string            `json:"verdict"`
	HintRule    string            `json:"hint_rule"`
	Runs        int               `json:"runs"`
	Baseline    suites.Baseline   `json:"baseline"`
	Portrait    portrait.Portrait `json:"portrait"`
	Profiles    []suites.Standing `json:"profiles"`
	Rules       []ruleV1          `json:"rules"`
	Summary     map[string]int    `json:"summary"`
}

type ruleV1 struct {
	ID         string                 `json:"id"`
	Level      string                 `json:"level"`
	Family     string                 `json:"family"`
	Profile    string                 `json:"profile"`
	Statement  string                 `json:"statement"`
	Source     string                 `json:"source"`
	By         string                 `json:"judged_by"`
	Why        string                 `json:"why"`
	Scenario   string                 `json:"scenario"`
	Result     string                 `json:"result"`
	Detail     string                 `json:"detail"`
	Findings   []map[string]string    `json:"findings"`
	Measured   map[string]string      `json:"measured"`
	Rates      map[string]suites.Rate `json:"rates"`
	Accepted   string                 `json:"accepted"`
	Stale      string                 `json:"stale"`
	Transcript string                 `json:"transcript"`
	Reproduce  string                 `json:"reproduce"`
}

func readReport(t *testing.T, dir string) reportV1 {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r reportV1
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatalf("report.json: %v", err)
	}
	return r
}

// sound holds every field to what it may be.
func (r reportV1) sound(t *testing.T, dir string) {
	t.Helper()
	if r.Schema != "brownout.report/v1" || r.Tool["name"] != "brownout" || r.Tool["version"] == "" || r.Seed == nil || r.Args == "" {
		t.Errorf("got schema %q, tool %v, seed %v, args %q", r.Schema, r.Tool, r.Seed, r.Args)
	}
	if r.Client["name"] == "" || !slices.Contains([]any{"exec", "go"}, r.Client["driver"]) {
		t.Errorf("got client %v, want a name and a driver", r.Client)
	}
	if !slices.Contains([]string{"conformant", "not-conformant", "inconclusive"}, r.Verdict) {
		t.Errorf("got verdict %q", r.Verdict)
	}
	counted := map[string]int{"pass": 0, "fail": 0, "warn": 0, "observed": 0, "unsupported": 0, "not-tested": 0, "inconclusive": 0, "error": 0}
	known := slices.Sorted(maps.Keys(counted))
	for _, e := range r.Rules {
		counted[e.Result]++
		i := slices.IndexFunc(suites.Rules(), func(r suites.Rule) bool { return string(r.ID) == e.ID })
		if i < 0 || !slices.Contains(known, e.Result) {
			t.Fatalf("got rule %q with result %q", e.ID, e.Result)
		}
		rule := suites.Rules()[i]
		got := []string{e.Level, e.Family, e.Profile, e.Statement, e.Source, e.Why, e.Scenario}
		want := []string{string(rule.Level), string(rule.Family), string(rule.Profile), rule.Says, rule.Source, rule.Why, string(rule.Under)}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", e.ID, got, want)
		}
		if e.Result != "pass" && e.Detail == "" {
			t.Errorf("%s: %s without a reason", e.ID, e.Result)
		}
		if failed := e.Result == "fail" || e.Result == "warn"; failed && len(e.Findings) == 0 {
			t.Errorf("%s: %s without a finding", e.ID, e.Result)
		}
		for _, f := range e.Findings {
			if f["needed"] == "" || f["seen"] == "" {
				t.Errorf("%s: got finding %v, want what was needed and what was seen", e.ID, f)
			}
		}
		if !strings.HasPrefix(e.Reproduce, "brownout run --rules "+e.ID+" --seed ") || !strings.HasSuffix(e.Reproduce, r.Args) {
			t.Errorf("%s: got reproduce %q", e.ID, e.Reproduce)
		}
		if e.Transcript != "" {
			if _, err := os.Stat(filepath.Join(dir, e.Transcript)); err != nil {
				t.Errorf("%s: %v", e.ID, err)
			}
		} else if !r.Interrupted {
			t.Errorf("%s: no transcript", e.ID)
		}
	}
	if !maps.Equal(r.Summary, counted) {
		t.Errorf("got summary %v, want %v", r.Summary, counted)
	}
}

// junit is what CI systems read of junit.xml.
type junit struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Suites   []struct {
		Tests    int `xml:"tests,attr"`
		Skipped  int `xml:"skipped,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Cases    []struct {
			Name    string    `xml:"name,attr"`
			Skipped *struct{} `xml:"skipped"`
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

// agreesWithJUnit wants junit.xml well-formed and of the same mind.
func (r reportV1) agreesWithJUnit(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "junit.xml"))
	if err != nil {
		t.Fatal(err)
	}
	var j junit
	if err := xml.Unmarshal(text, &j); err != nil || len(j.Suites) != 1 || len(j.Suites[0].Cases) != len(r.Rules) {
		t.Fatalf("junit.xml: %v: want one suite with %d cases:\n%s", err, len(r.Rules), text)
	}
	failed, skipped := 0, 0
	for _, e := range r.Rules {
		if e.failed(r.Strict) {
			failed++
		}
		if e.skipped() {
			skipped++
		}
	}
	s := j.Suites[0]
	if got, want := []int{j.Tests, j.Failures, j.Errors, s.Tests, s.Failures, s.Errors, s.Skipped}, []int{len(r.Rules), failed, 0, len(r.Rules), failed, 0, skipped}; !slices.Equal(got, want) {
		t.Errorf("junit.xml: got tests, failures, errors of all and of the suite, and skipped: %v, want %v", got, want)
	}
	for i, c := range s.Cases {
		e := r.Rules[i]
		wantFailed, wantSkipped := e.failed(r.Strict), e.skipped()
		if !strings.HasSuffix(c.Name, e.ID+" "+e.Statement) || (c.Failure != nil) != wantFailed || (c.Skipped != nil) != wantSkipped || c.Error != nil {
			t.Errorf("junit.xml: got case %q, failed %v, skipped %v; the report says %s of %s", c.Name, c.Failure != nil, c.Skipped != nil, e.Result, e.ID)
		}
	}
}

// failed tells whether a CI system is to show the rule as failed; skipped, as skipped.
func (e ruleV1) failed(strict bool) bool {
	broken := e.Result == "fail" || e.Result == "error" || e.Result == "warn" && strict
	return e.Stale != "" || broken && e.Accepted == ""
}

func (e ruleV1) skipped() bool {
	return e.Stale == "" && (e.Accepted != "" || slices.Contains([]string{"unsupported", "not-tested", "inconclusive"}, e.Result))
}

// results are the results by rule.
func (r reportV1) results() map[string]string {
	of := map[string]string{}
	for _, e := range r.Rules {
		of[e.ID] = e.Result
	}
	return of
}
