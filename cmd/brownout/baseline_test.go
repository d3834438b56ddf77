package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/suites"
)

// TestBaseline has a client that breaks RT-11 and holds CX-01.
func TestBaseline(t *testing.T) {
	tests := []struct {
		name, baseline string
		code           int
		says           string
		reason         string
	}{
		{"known", "RT-11: {result: fail, reason: issue 12}\n", exitConformant, "known: issue 12", "what is known is put up with"},
		{"new", "CX-04: {result: fail, reason: issue 12}\n", exitNotConformant, "✗ RT-11", "what is not known counts; what was not selected does not"},
		{"stale", "RT-11: {result: fail, reason: issue 12}\nCX-01: {result: fail, reason: issue 13}\n", exitNotConformant,
			"stale: the baseline says fail, but it is pass now: take the entry out, or say so there", "it would hide the next failure"},
		{"unknown", "RT-99: {result: fail, reason: issue 12}\n", exitUsage, "RT-99: no such rule", "a slip hides nothing"},
		{"absent", "", exitUsage, "no such file or directory", "a wrong path"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file, out := filepath.Join(dir, "known.yaml"), filepath.Join(dir, "out")
			if tt.baseline != "" {
				if err := os.WriteFile(file, []byte(tt.baseline), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := ran(t, client("twice", "--rules", "RT-11,CX-01", "--baseline", file, "--report", out)...)
			if got.code != tt.code || !strings.Contains(got.out+got.err, tt.says) {
				t.Errorf("got exit %d:\n%s%s\nwant exit %d and %q: %s", got.code, got.out, got.err, tt.code, tt.says, tt.reason)
			}
			if tt.code == exitUsage {
				return
			}
			r := readReport(t, out)
			r.sound(t, out)
			r.agreesWithJUnit(t, out)
			if again := said(t, "check", out); again.code != tt.code || again.out+"report: "+out+"\n" != got.out {
				t.Errorf("check: got exit %d:\n%s\nwant exit %d and what the run said:\n%s", again.code, again.out, tt.code, got.out)
			}
		})
	}
}

func TestRepeat(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	got := ran(t, client("twice", "--rules", "RT-11,CX-01", "--repeat", "2", "--seed", "7", "--report", out)...)
	if got.code != exitNotConformant || !strings.Contains(got.out, "fail 2 of 2 (34 to 100 %)\n") || !strings.Contains(got.out, "pass 2 of 2 (34 to 100 %)\n") || !strings.Contains(got.err, "run 2 of 2, with seed 8\n") {
		t.Errorf("got exit %d:\n%s%s\nwant exit 1, the rates, and the second seed", got.code, got.out, got.err)
	}
	r := readReport(t, out)
	r.sound(t, out)
	r.agreesWithJUnit(t, out)
	if rate := r.Rules[0].Rates; r.Runs != 2 || len(rate) != 1 || rate["pass"].Times+rate["fail"].Times != 2 {
		t.Errorf("got %d runs, rates %v; want 2 of both", r.Runs, rate)
	}
	want := []string{"transcripts/run-2/short-reply.json", "transcripts/run-2/success-then-close.again.json", "transcripts/run-2/success-then-close.json"}
	if files := list(t, out); len(files) != 8 || !slices.Equal(files[2:5], want) {
		t.Errorf("got files %v, want those of the second run below run-2", files)
	}
	if again := said(t, "check", out); again.code != got.code || again.out+"report: "+out+"\n" != got.out {
		t.Errorf("check: got exit %d:\n%s\nwant what the run said:\n%s", again.code, again.out, got.out)
	}
}

// TestProfile wants the rules of a profile, and a word on whether they hold.
func TestProfile(t *testing.T) {
	t.Parallel()
	listed := said(t, "rules", "--profile", "polite")
	if listed.code != exitConformant || !strings.Contains(listed.out, "RA-01 ") || strings.Contains(listed.out, "DL-01 ") {
		t.Errorf("got exit %d:\n%s\nwant the polite rules, and no other", listed.code, listed.out)
	}
	out := t.TempDir()
	got := ran(t, client("twice", "--rules", "RA-07,RA-08", "--profile", "polite:aws", "--report", out)...)
	r := readReport(t, out)
	if got.code != exitNotConformant || r.HintRule != "aws" || len(r.Profiles) > 0 || !strings.HasPrefix(r.Rules[0].By, "judged as AWS SDKs have it") || !strings.Contains(r.Rules[0].Reproduce, " --profile full:aws ") {
		t.Errorf("got exit %d, %+v; want exit 1, AWS's word in rule and command, and no word on a profile that was judged by half", got.code, r)
	}
	if again := said(t, "check", out); again.out+"report: "+out+"\n" != got.out {
		t.Errorf("check: got\n%s\nwant what the run said:\n%s", again.out, got.out)
	}
	whole := ran(t, "run", "--client", "steady", "--profile", "polite", "--once")
	if !strings.Contains(whole.out, "\nprofiles\n  ") || strings.Contains(whole.out, string(suites.Full)+"  ") {
		t.Errorf("got exit %d:\n%s%s\nwant a grade for polite, and for no other", whole.code, whole.out, whole.err)
	}
}
