//go:build unix

package drive_test

import (
	"os/exec"
	"slices"
	"testing"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
)

// tinyCase is one of the short examples, and what the README says of it.
type tinyCase struct {
	file, language string
	broken         map[suites.RuleID]suites.Result
	reason         string
}

func tinyCases() []tinyCase {
	const fail, warn = suites.Fail, suites.Warn
	return []tinyCase{
		{"tiny.py", "python3", map[suites.RuleID]suites.Result{"RA-02": fail, "RA-07": fail, "RT-07": warn, "ID-08": warn, "CX-02": warn, "CX-10": fail},
			"it reads no date, 425 and 409 are not in its list, and http.client is lenient with framing"},
		{"tiny.mjs", "node", map[suites.RuleID]suites.Result{"RA-02": fail, "RA-07": fail, "RT-07": warn, "ID-08": warn},
			"it reads no date, and 425 and 409 are not in its list"},
	}
}

// held are the rules that an adapter of forty lines is to pass: what a client is asked for first, and what it does to the ledger.
func held() []suites.RuleID {
	return []suites.RuleID{
		"RT-01", "RT-02", "RT-05", "RT-08", "RT-10", "RT-11", "ID-01", "ID-02", "ID-03", "ID-04", "ID-05", "CX-01", "CX-05", "OC-01", "OC-02",
	}
}

// inTime are rules that it is to pass as well, and that a busy machine may leave undecided.
func inTime() []suites.RuleID {
	return []suites.RuleID{"DL-01", "DL-03", "DL-04", "DL-05", "DL-06", "RA-01", "RA-08", "CN-01", "CN-02"}
}

// TestTinyExamplesAreJudged judges them as a user would, by all rules, and wants what the README says of them: nothing more is broken, and
// nothing less. A machine that is too busy to tell is no failure of theirs.
func TestTinyExamplesAreJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute for each")
	}
	for _, tt := range tinyCases() {
		t.Run(tt.file, func(t *testing.T) {
			if _, err := exec.LookPath(tt.language); err != nil {
				t.Skipf("no %s on this machine", tt.language)
			}
			carrier, err := drive.JSONL(t.Context(), []string{tt.language, "examples/" + tt.file}, drive.JSONLOptions{})
			if err != nil {
				t.Fatal(err)
			}
			l := lab.Real(carrier, 1)
			calibration, err := drive.Probe(t.Context(), carrier, l.Network, "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			l.Overhead = calibration.Overhead
			rules := suites.Rules()
			judgement, err := suites.Run{Lab: l, Rules: rules}.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(judgement.Verdicts) != len(rules) {
				t.Fatalf("got %d verdicts; want one for each of %d rules", len(judgement.Verdicts), len(rules))
			}
			for _, v := range judgement.Verdicts {
				tt.check(t, v)
			}
		})
	}
}

func (tt tinyCase) check(t *testing.T, v suites.Verdict) {
	t.Helper()
	want, broken := tt.broken[v.Rule]
	undecided := v.Result == suites.Inconclusive
	switch {
	case v.Result == suites.Broken:
		t.Errorf("%s: %s: %s", v.Rule, v.Result, v.Detail)
	case broken && v.Result != want && !undecided:
		t.Errorf("%s: got %s; want %s (%s)", v.Rule, v.Result, want, tt.reason)
	case !broken && (v.Result == suites.Fail || v.Result == suites.Warn):
		t.Errorf("%s: got %s; want nothing found: %s", v.Rule, v.Result, v.Detail)
	case slices.Contains(held(), v.Rule) && v.Result != suites.Pass, slices.Contains(inTime(), v.Rule) && v.Result != suites.Pass && !undecided:
		t.Errorf("%s: got %s; want pass: %s", v.Rule, v.Result, v.Detail)
	}
}
