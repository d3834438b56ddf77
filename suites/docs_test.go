package suites

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/suites/mutants"
	"github.com/brownout-dev/brownout/suites/transcript"
)

var update = flag.Bool("update", false, "write the generated parts of README.md anew (make docs)")

// TestDocs wants README.md to show the rules, the kill matrix and the numbers as the code has them.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	want := string(text)
	for _, part := range []struct{ name, text string }{
		{"rules", rulesTable()},
		{"mutants", mutantsTable(mutants.All())},
		{"killers", killersTable()},
		{"variants", variantsTable()},
		{"numbers", numbersTable()},
	} {
		begin, end := "<!-- "+part.name+": begin -->\n", "<!-- "+part.name+": end -->"
		before, rest, opened := strings.Cut(want, begin)
		_, after, closed := strings.Cut(rest, end)
		if !opened || !closed {
			t.Fatalf("README.md: want %q and %q around the %s", begin, end, part.name)
		}
		want = before + begin + part.text + end + after
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Errorf("README.md is not what the code says: make docs writes it anew\ngot\n%s\nwant\n%s", text, want)
	}
}

// TestDocsNameAMutant wants the commands of the docs that play one mutant to name one that there is.
func TestDocsNameAMutant(t *testing.T) {
	for _, page := range []string{"README.md", "../CONTRIBUTING.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		named := regexp.MustCompile(`go test ./suites -run KillMatrix/([a-z0-9-]+) -v`).FindSubmatch(text)
		if named == nil {
			t.Fatalf("%s: want a command that plays one mutant", page)
		}
		if !slices.ContainsFunc(mutants.All(), func(m mutants.Mutant) bool { return m.Name == string(named[1]) }) {
			t.Errorf("%s: got the mutant %s, which does not exist", page, named[1])
		}
	}
}

// rulesTable has a table for each family.
func rulesTable() string {
	var b strings.Builder
	family := Family("")
	for _, r := range Rules() {
		if r.Family != family {
			family = r.Family
			fmt.Fprintf(&b, "\n### %s: %s\n\n| id | level | profile | rule | source | scenario |\n| --- | --- | --- | --- | --- | --- |\n", family, family.Title())
		}
		scenario := fmt.Sprintf("[%s](../scenarios/%s.yaml)", r.Under, r.Under)
		row(&b, string(r.ID), string(r.Level), string(r.Profile), r.Says, r.Source, scenario)
	}
	return b.String() + "\n"
}

func mutantsTable(all []mutants.Mutant) string {
	var b strings.Builder
	b.WriteString("| mutant | what it does | breaks |\n| --- | --- | --- |\n")
	for _, m := range all {
		row(&b, "`"+m.Name+"`", m.Defect, strings.Join(m.Trips, " "))
	}
	return b.String()
}

func variantsTable() string {
	var b strings.Builder
	b.WriteString("| variant | what it does |\n| --- | --- |\n")
	for _, m := range mutants.Variants() {
		row(&b, "`"+m.Name+"`", m.Defect)
	}
	return b.String()
}

// killersTable is the matrix read the other way: for each rule the mutants that break it.
func killersTable() string {
	var b strings.Builder
	b.WriteString("| rule | broken by |\n| --- | --- |\n")
	for _, r := range Rules() {
		var names []string
		for _, m := range mutants.Tripping(string(r.ID)) {
			names = append(names, "`"+m.Name+"`")
		}
		row(&b, string(r.ID), strings.Join(names, ", "))
	}
	return b.String()
}

// numbersTable gives the constants that verdicts rest on.
func numbersTable() string {
	var b strings.Builder
	b.WriteString("| what | value |\n| --- | --- |\n")
	for _, n := range [][2]string{
		{"a wait may look shorter than it was, since moments are stamped on both sides of it, by", transcript.TimerSlack.String()},
		{"an upper bound may be passed, beyond the adapter's own overhead, by", fmt.Sprintf("%s or %d %%, whichever is more", leastTolerance, 100/toleranceDivisor)},
		{"an attempt that was begun in time may be seen, beyond the overhead, after", dispatchSlack.String()},
		{"a late answer cannot have been the machine's doing when it is late by", fmt.Sprintf("%d times the machine's worst lateness", decisive)},
		{"a statistic breaks a rule when it is on the wrong side by", fmt.Sprintf("%g standard errors", confidence)},
		{"BO-01: a later wait must be, on average, the first wait times", fmt.Sprint(leastGrowth)},
		{"BO-03: deviation of first waits by their mean, at least", percent(leastVariation)},
		{"BO-03: first waits within a hundredth of the median of each other, at most", percent(mostTogether)},
		{"BO-03: span of the earliest quarter of first waits, by its end, more than", percent(leastEarlySpan)},
		{"BO-03: waits that it takes to tell, at least", fmt.Sprint(fewestForSpread)},
		{"CX-05: a connection that the client has left may take to be seen closed, on a machine that is not late", settled.String()},
		{"CX-09: a body may wait for a 100 (Continue), at the most", longestExpectation.String()},
		{"RB-01, RB-02: a budget may be over by, of first attempts", percent(budgetTolerance)},
		{"RB-02: a client that does not claim its burst may have saved up, of retries", fmt.Sprint(mostSaved)},
		{"HG-01, HG-02: two attempts are under way together when they are for more than", leastOverlap.String()},
		{"HG-02: attempts beside a successful one are over, tolerance and overhead aside, within", loserEnds.String()},
		{"CB-02: a refused call is answered, tolerance and overhead aside, within", refusalTakes.String()},
		{"BH-02: beside a silent dependency, an answer of another may take, of its slowest before, tolerance and overhead aside", fmt.Sprintf("%d times", usualTimes)},
		{"DP-01: a client may keep for itself, of the time left", percent(1.0 / fairMargin)},
		{"RB-06: the load is carried again, after the end of a spike, within", backToNormal.String()},
	} {
		row(&b, n[0], n[1])
	}
	return b.String()
}

func percent(share float64) string { return fmt.Sprintf("%g %%", 100*share) }

func row(b *strings.Builder, cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
