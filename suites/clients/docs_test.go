package clients_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/clients/curl"
	"github.com/brownout-dev/brownout/suites/lab"
)

var update = flag.Bool("update", false, "write the table of verdicts in README.md anew (make docs)")

// judged are the bundled clients that can be judged in virtual time; curl is a process.
var judged = []string{"steady", "guarded", "isolating", "hedging", "naive", "nethttp"}

// TestDocs judges the bundled clients, and wants README.md to say what was found of them.
func TestDocs(t *testing.T) {
	const begin, end = "<!-- verdicts: begin -->\n", "<!-- verdicts: end -->"
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("README.md: want %q and %q around the verdicts", begin, end)
	}
	want := before + begin + verdicts(t) + end + after
	if *update {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Errorf("README.md is not what the judges say: make docs writes it anew\ngot\n%s\nwant\n%s", text, want)
	}
}

// patience is how often net/http is judged by ID-05: it says "failed" after a 503 that its own repeat met, and forgets the first request, which was
// applied. One play in five shows it, since it repeats only on a connection that another request has used, and which has is the scheduler's.
const patience = 80

// verdicts is a table of the rules that one of the clients breaks. Between pass and not-tested it makes no difference: whether net/http has a used
// connection to send something again on is a matter of which goroutine comes first.
func verdicts(t *testing.T) string {
	rules := suites.Rules()
	broken := map[string]map[suites.RuleID]suites.Result{}
	for _, name := range judged {
		broken[name] = judge(t, name, rules)
	}
	for range patience {
		if broken["nethttp"]["ID-05"] == "" {
			broken["nethttp"]["ID-05"] = judge(t, "nethttp", slices.DeleteFunc(suites.Rules(), func(r suites.Rule) bool { return r.ID != "ID-05" }))["ID-05"]
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| rule | level | what it asks for | %s |\n| --- | --- | --- |%s\n", strings.Join(judged, " | "), strings.Repeat(" --- |", len(judged)))
	for _, r := range rules {
		var cells []string
		for _, name := range judged {
			cells = append(cells, string(broken[name][r.ID]))
		}
		if strings.Join(cells, "") != "" {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.ID, r.Level, r.Says, strings.Join(cells, " | "))
		}
	}
	return b.String()
}

// judge plays every rule against a client, in virtual time, where a second play would be the first once more, and gives those that it breaks.
func judge(t *testing.T, name string, rules []suites.Rule) map[suites.RuleID]suites.Result {
	t.Helper()
	broken := map[suites.RuleID]suites.Result{}
	known := false
	for _, b := range clients.All() {
		if b.Name != name {
			continue
		}
		known = true
		carrier, err := b.Carrier()
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			j, err := suites.Run{Lab: lab.Virtual(carrier, 1), Rules: rules, Once: true}.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range j.Verdicts {
				t.Logf("%s: %s %s %s", name, v.Rule, v.Result, v.Detail)
				switch v.Result {
				case suites.Fail, suites.Warn, suites.Observed:
					broken[v.Rule] = v.Result
				case suites.Inconclusive, suites.Broken:
					t.Errorf("%s: %s: got %s (%s), want a verdict", name, v.Rule, v.Result, v.Detail)
				}
			}
		})
	}
	if !known {
		t.Fatalf("no bundled client is called %s", name)
	}
	return broken
}

// TestDocsTellCurlsArguments wants the page on curl to show the command line that is judged.
func TestDocsTellCurlsArguments(t *testing.T) {
	text, err := os.ReadFile("curl/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if line := strings.Join(curl.Arguments(), " "); !strings.Contains(string(text), line+"\n") {
		t.Errorf("curl/README.md: want the line %q", line)
	}
}
