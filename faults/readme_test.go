package faults

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const begin, end = "<!-- faults: begin -->\n", "<!-- faults: end -->"

// table is the README's table of all faults.
func table() string {
	var b strings.Builder
	b.WriteString("| fault | strikes at | fields | what the client sees |\n| --- | --- | --- | --- |\n")
	for _, a := range Kinds() {
		k := a.Kind()
		var described []string
		for _, f := range fields(a) {
			described = append(described, "`"+f.Name+"`: "+f.Wants)
		}
		row := []string{"`" + k.Name + "`", joinPhases(k.Phases), strings.Join(described, "<br>"), k.Wire}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return b.String()
}

func TestDocsTable(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("README.md: want %q and %q around the table", begin, end)
	}
	golden(t, "README.md", before+begin+table()+end+after)
}

// Every plan that the README shows can be loaded.
func TestREADMEPlans(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 3 {
		t.Fatalf("got %d plans, want those of the README", len(blocks))
	}
	for _, b := range blocks {
		var p Plan
		if err := yaml.UnmarshalWithOptions([]byte(b[1]), &p, yaml.Strict()); err != nil {
			t.Errorf("%s%v", b[1], err)
		}
		if err := p.Check(); err != nil {
			t.Errorf("%s%v", b[1], err)
		}
	}
}

// Each row of the README's two forms means the same in both.
func TestREADMEForms(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `(\\{fault: [^`]+)` \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) != 7 {
		t.Fatalf("got %d rows, want the 7 of the README", len(rows))
	}
	for _, row := range rows {
		inWords, ok, err := Parse(row[1])
		if err != nil || !ok {
			t.Errorf("%s: got %v, want a fault", row[1], err)
			continue
		}
		var mapped Fault
		if err := yaml.UnmarshalWithOptions([]byte(row[2]), &mapped, yaml.Strict()); err != nil {
			t.Errorf("%s: %v", row[2], err)
			continue
		}
		if got, want := mapped.String(), inWords.String(); got != want {
			t.Errorf("%s: got %s, want %s, as %s means", row[2], got, want, row[1])
		}
	}
}

// A whole script can be a YAML alias, as the README says.
func TestScriptAlias(t *testing.T) {
	const text = "routes:\n- {route: POST /a, script: &lost [reset after-commit]}\n- {route: POST /b, script: *lost}\n"
	var p Plan
	if err := yaml.UnmarshalWithOptions([]byte(text), &p, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	if got, want := p.Routes[1].Script.String(), "[reset after-commit]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
