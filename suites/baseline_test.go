package suites

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadBaseline(t *testing.T) {
	tests := []struct{ name, text, want, reason string }{
		{"empty", "", "", "nothing is known"},
		{"one", "RT-10: {result: fail, reason: counts retries}\n", "", "the usual form"},
		{"unknown rule", "RT-99: {result: fail, reason: because}\n", "RT-99: no such rule", "a slip, or a rule that is gone"},
		{"no reason", "RT-10: {result: fail}\n", "RT-10: no reason: want one", "nobody will know"},
		{"no failure", "RT-10: {result: pass, reason: because}\n", `RT-10: result "pass": want fail or warn`, "nothing to put up with"},
		{"unknown word", "RT-10: {result: fail, because: it is so}\n", "b.yaml:1:23: unknown field", "with its place"},
		{"no mapping", "- RT-10\n", "b.yaml:1:1: ", "with its place"},
		{"two wrong", "RT-98: {result: fail, reason: because}\nRT-99: {result: fail, reason: because}\n", "RT-98: no such rule: want ids that brownout rules lists\nRT-99: no such rule", "all at once"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "b.yaml")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := ReadBaseline(file, Rules())
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q: %s", err, tt.want, tt.reason)
			}
		})
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBaseline(pipe, Rules()); err == nil || !strings.Contains(err.Error(), "want a file") {
		t.Errorf("got %v, want a pipe refused: nobody writes to it", err)
	}
}

func TestBaselineApplies(t *testing.T) {
	tests := []struct {
		known, result   Result
		accepted, stale bool
		strict, lax     Outcome // of a run of that one rule and one that holds
		reason          string
	}{
		{Fail, Fail, true, false, Conformant, Conformant, "as it says"},
		{Warn, Warn, true, false, Conformant, Conformant, "as it says"},
		{Warn, Fail, false, false, NotConformant, NotConformant, "worse than it says: a new failure"},
		{Fail, Warn, false, true, NotConformant, NotConformant, "better than it says"},
		{Fail, Pass, false, true, NotConformant, NotConformant, "mended: the entry would hide the next time"},
		{Warn, Observed, false, true, NotConformant, NotConformant, "no failure"},
		{Fail, Inconclusive, true, false, Conformant, Conformant, "this time it could not be decided"},
		{Fail, NotTested, false, false, Conformant, Conformant, "says nothing of it"},
		{Fail, Broken, false, false, Undecided, Undecided, "a harness that fails is never known"},
		{"", Fail, false, false, NotConformant, NotConformant, "not in the baseline"},
	}
	rules := []Rule{{ID: "A-1", Level: Must}, {ID: "A-2", Level: Must}}
	for _, tt := range tests {
		t.Run(string(tt.known)+" is "+string(tt.result), func(t *testing.T) {
			b := Baseline{"A-1": {tt.known, "because"}}
			if tt.known == "" {
				b = nil
			}
			j := Judgement{Verdicts: b.Apply([]Verdict{{Rule: "A-1", Result: tt.result}, {Rule: "A-2", Result: Pass}})}
			if v := j.Verdicts[0]; (v.Accepted == "because") != tt.accepted || (v.Stale != "") != tt.stale {
				t.Errorf("got accepted %q, stale %q; want %v, %v: %s", v.Accepted, v.Stale, tt.accepted, tt.stale, tt.reason)
			}
			if lax, strict := j.Outcome(rules, false), j.Outcome(rules, true); lax != tt.lax || strict != tt.strict {
				t.Errorf("got %s, strictly %s; want %s, %s: %s", lax, strict, tt.lax, tt.strict, tt.reason)
			}
		})
	}
}
