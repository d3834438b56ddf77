package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestReport runs clients whose verdicts are known, and holds everything that is written about them against each other.
func TestReport(t *testing.T) {
	tests := []struct {
		name    string
		args    []string
		code    int
		results map[string]string
		reason  string
	}{
		{"conformant", []string{"run", "--client", "steady", "--rules", "RT-08"}, exitConformant,
			map[string]string{"RT-08": "pass"}, "the reference client"},
		{"not conformant", client("twice", "--rules", "RT-11,CX-01"), exitNotConformant,
			map[string]string{"RT-11": "fail", "CX-01": "pass"}, "it asks twice, and is honest about the second reply"},
		{"a SHOULD", client("twice", "--rules", "RT-03"), exitConformant,
			map[string]string{"RT-03": "warn"}, "a broken SHOULD warns"},
		{"a SHOULD, strictly", client("twice", "--rules", "RT-03", "--strict"), exitNotConformant,
			map[string]string{"RT-03": "warn"}, "the same client, held to more"},
		{"nothing tested", client("honest", "--rules", "RT-02"), exitCannotJudge,
			map[string]string{"RT-02": "unsupported"}, "a client that never retries; no skip is a pass"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "a new", "[folder]")
			p := brownout(t, append(tt.args[:1:1], append([]string{"--seed", "7", "--report", dir}, tt.args[1:]...)...)...)
			got := p.ran()
			if got.code != tt.code {
				t.Fatalf("got exit %d, want %d: %s\n%s%s", got.code, tt.code, tt.reason, got.out, got.err)
			}
			r := readReport(t, dir)
			r.sound(t, dir)
			r.agreesWithJUnit(t, dir)
			if *r.Seed != 7 || !maps.Equal(r.results(), tt.results) {
				t.Errorf("got seed %d, %v; want 7, %v: %s", *r.Seed, r.results(), tt.results, tt.reason)
			}
			again := said(t, "check", dir)
			if again.code != tt.code || again.out+"report: "+dir+"\n" != got.out {
				t.Errorf("check: got exit %d:\n%s\nwant exit %d, and what the run said:\n%s", again.code, again.out, tt.code, got.out)
			}
			if strings.Contains(got.out+got.err, "\x1b") {
				t.Errorf("got escape codes on what is no terminal: %q %q", got.out, got.err)
			}
		})
	}
}

// TestReproduce runs the command that a report gives for a finding, as a person would: from a shell.
func TestReproduce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	claims := filepath.Join(dir, "it's mine.yaml")
	if err := os.WriteFile(claims, []byte("name: shop\nfeatures: [retries]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := ran(t, client("twice", "--rules", "RT-11,RT-03", "--claims", claims, "--claim", "retry_statuses=429,503", "--feature", "budget", "--claim", "budget.ratio=0.1", "--strict", "--report", dir)...)
	r := readReport(t, dir)
	if first.code != exitNotConformant || len(r.Rules) != 2 {
		t.Fatalf("got exit %d with %d rules, want 1 with 2:\n%s%s", first.code, len(r.Rules), first.out, first.err)
	}
	if said := "claims         retry_statuses=429,503, budget.ratio=0.1\n"; !strings.Contains(first.out, said) {
		t.Errorf("got %s\nwant %q in it", first.out, said)
	}
	for _, e := range r.Rules {
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			out := t.TempDir()
			line := strings.Replace(e.Reproduce, "brownout run ", "exec \"$E2E_COMMAND\" run --report \"$OUT\" ", 1)
			p := brownout(t)
			p.Path, p.Args = "/bin/sh", []string{"sh", "-c", line}
			p.Env = append(p.Env, "OUT="+out)
			got := p.ran()
			again := readReport(t, out)
			if got.code != exitNotConformant || len(again.Rules) != 1 || again.Rules[0].Result != e.Result || *again.Seed != *r.Seed {
				t.Errorf("%s\ngot exit %d, %v, seed %d; want exit 1, %s: %s, seed %d\n%s%s", e.Reproduce, got.code, again.results(), *again.Seed, e.ID, e.Result, *r.Seed, got.out, got.err)
			}
			if want := map[string]any{"retry_statuses": []any{429.0, 503.0}, "budget": map[string]any{"ratio": 0.1}}; !reflect.DeepEqual(again.Client["claims"], want) {
				t.Errorf("got claims %v, want %v", again.Client["claims"], want)
			}
			if a, b := again.Rules[0].Findings, e.Findings; !slices.EqualFunc(a, b, maps.Equal) {
				t.Errorf("got findings %v, want those of the first run: %v", a, b)
			}
		})
	}
}

// TestReportFolderUsedAgain wants nothing of an earlier run in a later one's report, whatever becomes of that.
func TestReportFolderUsedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := ran(t, client("twice", "--rules", "RT-11,CX-01", "--report", dir)...); got.code != exitNotConformant {
		t.Fatalf("got exit %d, want 1:\n%s%s", got.code, got.out, got.err)
	}
	want := []string{"junit.xml", "report.json", "transcripts/short-reply.json", "transcripts/success-then-close.again.json", "transcripts/success-then-close.json"}
	if got := list(t, dir); !slices.Equal(got, want) {
		t.Errorf("got files %v, want %v", got, want)
	}
	for _, half := range []string{".brownout-123", "transcripts/.brownout-456"} { // as a run that was killed leaves them
		if err := os.WriteFile(filepath.Join(dir, half), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := ran(t, "run", "--client", "steady", "--rules", "RA-07", "--report", dir); got.code != exitConformant {
		t.Fatalf("got exit %d, want 0:\n%s%s", got.code, got.out, got.err)
	}
	want = []string{"junit.xml", "report.json", "transcripts/asks-for-a-day.json"}
	if got := list(t, dir); !slices.Equal(got, want) {
		t.Errorf("got files %v, want %v", got, want)
	}
	if got := ran(t, client("nothing", "--report", dir)...); got.code != exitCannotJudge {
		t.Fatalf("got exit %d, want 2:\n%s%s", got.code, got.out, got.err)
	}
	if got := list(t, dir); len(got) > 0 {
		t.Errorf("got files %v, want none: what could not be judged must not look conformant", got)
	}
}

// TestReportFolderInUse starts a run into the folder of one that is under way, and kills that one, so that it cannot clean up: then the folder
// is free, and nothing of its clients is left.
func TestReportFolderInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := brownout(t, client("hang-in-plays", "--rules", "DL-05", "--report", dir)...)
	first.begin()
	first.hangs()
	got := ran(t, client("honest", "--rules", "RT-11", "--report", dir)...)
	want := "brownout: report folder: " + dir + ": another run is going to write to it: want a folder of its own for each run\n"
	if got.code != exitCannotJudge || got.err != want {
		t.Errorf("got exit %d, stderr %q, want exit 2, %q", got.code, got.err, want)
	}
	first.Process.Kill()
	first.wait()
	if got := ran(t, client("honest", "--rules", "RT-11", "--report", dir)...); got.code != exitConformant {
		t.Errorf("got exit %d, want 0, the folder being free:\n%s%s", got.code, got.out, got.err)
	}
	if got, want := list(t, dir), []string{"junit.xml", "report.json", "transcripts/success-then-close.json"}; !slices.Equal(got, want) {
		t.Errorf("got files %v, want %v", got, want)
	}
}

// list names the files below a folder.
func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestReportFolderThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "transcripts"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]string{"a file in its place": file, "below a file": filepath.Join(file, "out"), "a file in the place of a folder in it": dir} {
		t.Run(name, func(t *testing.T) {
			got := said(t, "run", "--client", "steady", "--rules", "RA-07", "--report", at)
			if got.code != exitCannotJudge || got.out != "" || !strings.HasPrefix(got.err, "brownout: report folder: mkdir ") ||
				!strings.HasSuffix(got.err, ": not a directory: want a folder that can be made and written to\n") {
				t.Errorf("got exit %d, stdout %q, stderr %q; want exit 2 and the reason before anything is played", got.code, got.out, got.err)
			}
		})
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("got %q, %v; want the file as it was", text, err)
	}
}
