package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestCheck judges what one run saved, and refuses what no run saved.
func TestCheck(t *testing.T) {
	t.Parallel()
	saved := t.TempDir()
	if got := ran(t, client("twice", "--rules", "RA-07,CX-01", "--seed", "7", "--report", saved)...); got.code != exitNotConformant {
		t.Fatalf("got exit %d, want 1:\n%s%s", got.code, got.out, got.err)
	}
	const short, day, again = "transcripts/short-reply.json", "transcripts/asks-for-a-day.json", "transcripts/asks-for-a-day.again.json"
	tests := []struct {
		name   string
		change func(f folder)
		args   string // DIR is the changed copy
		code   int
		want   string // a part of what is said, on stdout where code is 0 or 1; DIR as above
		reason string
	}{
		{"the report", func(folder) {}, "DIR", exitNotConformant, " is not-conformant: 1 pass, 1 fail\n", "as the run said"},
		{"its transcripts", func(folder) {}, "DIR/transcripts", exitNotConformant, "DL-03", "without a report, all rules that the transcripts allow"},
		{"one of them", func(folder) {}, "DIR/" + short + " --rules CX-01", exitConformant, " is conformant: 1 pass\n", "by name, one rule"},
		{"a rule that was not asked for", func(folder) {}, "DIR --rules RA-07,DL-03", exitNotConformant, "DL-03", "the transcripts allow it"},
		{"the command to see it again", func(folder) {}, "DIR", exitNotConformant, "again    brownout run --rules RA-07 --seed 7 --exec -- " + os.Args[0] + " be twice\n", "from the report"},
		{"without a report", func(f folder) { f.remove("report.json") }, "DIR", exitNotConformant, "again    brownout run --rules RA-07 --seed 7 --exec -- …\n", "transcripts do not know the command"},
		{"of a strict run", func(f folder) { f.replace("report.json", `"strict": false`, `"strict": true`) }, "DIR", exitNotConformant, "is not-conformant", "as strictly as the run"},
		{"of a run that was cut short", func(f folder) { f.replace("report.json", `"interrupted": false`, `"interrupted": true`) }, "DIR", exitCannotJudge, "brownout: the run that saved this was interrupted: what was judged by then is shown above\n", "half a run is no verdict"},
		{"without a first play", func(f folder) { f.remove(day) }, "DIR", exitCannotJudge, "asks-for-a-day.again.json is of a second play: want the first one as well, asks-for-a-day.json\n", "a second play alone proves nothing"},
		{"without a second play", func(f folder) { f.remove(again) }, "DIR", exitNotConformant, "1 fail", "the first play says the same"},

		{"absent", func(folder) {}, "DIR/absent.json", exitCannotJudge, "brownout: stat DIR/absent.json: no such file or directory\n", "a wrong path"},
		{"without transcripts", func(f folder) { f.remove(list(f.t, f.dir)...) }, "DIR", exitCannotJudge, "brownout: DIR: no transcript in it: want the folder of a report, or of transcripts\n", "nothing to judge"},
		{"truncated", func(f folder) { f.cut(day) }, "DIR", exitCannotJudge, ": unexpected EOF: want a transcript that brownout wrote\n", "half a file"},
		{"empty", func(f folder) { f.write(day, "") }, "DIR", exitCannotJudge, "brownout: DIR/" + day + ": byte 0: EOF: want a transcript that brownout wrote\n", "nothing at all"},
		{"two in one file", func(f folder) { f.write(day, f.read(day)+f.read(day)) }, "DIR", exitCannotJudge, ": something follows the transcript: want one a file\n", "which of them?"},
		{"unknown field", func(f folder) { f.replace(day, `"lab"`, `"laboratory"`) }, "DIR", exitCannotJudge, `unknown field "laboratory": want a transcript that brownout wrote` + "\n", "what it means is not known"},
		{"wrong type", func(f folder) { f.replace(day, `"seed": 7`, `"seed": "seven"`) }, "DIR", exitCannotJudge, "cannot unmarshal string", "no number"},
		{"wrong moment", func(f folder) { f.replace(day, `"began": "`, `"began": "soon`) }, "DIR", exitCannotJudge, ": want a duration such as 1.5s", "no time"},
		{"an impossible play", func(f folder) { f.replace(day, `"number": 1,`, `"number": 5,`) }, "DIR", exitCannotJudge, "/" + day + ": attempts[0].number: 5: want 1: attempts are numbered in the order in which they came\n", "judges would believe it"},
		{"a pipe", func(f folder) { f.pipe("pipe.json") }, "DIR/pipe.json", exitCannotJudge, "brownout: DIR/pipe.json: want a regular file\n", "nobody writes to it"},
		{"a pipe for a transcript", func(f folder) { f.remove(day); f.pipe(day) }, "DIR", exitCannotJudge, "/" + day + ": want a regular file\n", "nobody writes to it"},
		{"a pipe for a report", func(f folder) { f.remove("report.json"); f.pipe("report.json") }, "DIR", exitCannotJudge, "report.json: want a regular file\n", "nobody writes to it"},
		{"no runs", func(f folder) { f.replace("report.json", `"runs": 1`, `"runs": 0`) }, "DIR", exitCannotJudge, "report.json: runs: 0: want a number from 1 to 10000\n", "a report is of one at least"},
		{"an unknown word on Retry-After", func(f folder) { f.replace("report.json", `"hint_rule": "rfc"`, `"hint_rule": "mine"`) }, "DIR", exitCannotJudge, `report.json: hint_rule: "mine": want one of [rfc aws grpc]`, "which rules were meant?"},
		{"wrong schema", func(f folder) { f.replace(day, "transcript/v1", "transcript/v2") }, "DIR", exitCannotJudge, `asks-for-a-day.json: schema "brownout.transcript/v2": want "brownout.transcript/v1"` + "\n", "of another time"},
		{"a report for a transcript", func(folder) {}, "DIR/report.json", exitCannotJudge, `report.json: schema "brownout.report/v1": want "brownout.transcript/v1"` + "\n", "the likely slip"},
		{"a report of another time", func(f folder) { f.replace("report.json", "report/v1", "report/v2") }, "DIR", exitCannotJudge, `report.json: schema "brownout.report/v2": want "brownout.report/v1"` + "\n", "its rules may mean something else"},
		{"half a report", func(f folder) { f.cut("report.json") }, "DIR", exitCannotJudge, "report.json: unexpected end of JSON input: want a report that brownout wrote\n", "what was asked is not known"},
		{"a rule that is not known", func(f folder) { f.replace("report.json", `"id": "RA-07"`, `"id": "RT-99"`) }, "DIR", exitCannotJudge, `the report has a rule "RT-99", which this version does not know`, "it was part of the verdict"},
		{"a scenario that is not known", func(f folder) { f.replace(short, `"scenario": "short-reply"`, `"scenario": "long-reply"`) }, "DIR", exitCannotJudge, `no rule is judged under scenario "long-reply"` + "\n", "it would be forgotten"},
		{"of two seeds", func(f folder) { f.replace(short, `"seed": 7`, `"seed": 8`) }, "DIR", exitCannotJudge, "with seed 7: judge one run at a time\n", "two runs"},
		{"of two clients", func(f folder) { f.replace(short, `"driver": "exec"`, `"driver": "go"`) }, "DIR", exitCannotJudge, ": judge one run at a time\n", "two runs"},
		{"given twice", func(folder) {}, "DIR DIR", exitCannotJudge, "report.json: a report was given already: judge one run at a time\n", "two runs"},
		{"a transcript given twice", func(folder) {}, "DIR DIR/" + day, exitCannotJudge, "a transcript of asks-for-a-day was given already: judge one run at a time\n", "two runs"},
		{"no rule of these", func(folder) {}, "DIR --rules BO-*", exitCannotJudge, "brownout: none of the selected rules is judged by these transcripts\n", "an empty run is no success"},
		{"no such rule", func(folder) {}, "DIR --rules XX-*", exitUsage, `brownout: no rule matches "XX-*": want an id`, "wrong usage"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := folder{t, t.TempDir()}
			if err := os.CopyFS(f.dir, os.DirFS(saved)); err != nil {
				t.Fatal(err)
			}
			tt.change(f)
			got := said(t, append([]string{"check"}, words(tt.args, f.dir)...)...)
			both := got.err != "" && got.out != "" && !strings.Contains(tt.want, "interrupted")
			if want := strings.ReplaceAll(tt.want, "DIR", f.dir); got.code != tt.code || !strings.Contains(got.out+got.err, want) || both {
				t.Errorf("got exit %d, stdout:\n%s\nstderr:\n%s\nwant exit %d, and %q in a verdict or a refusal, not in both: %s", got.code, got.out, got.err, tt.code, want, tt.reason)
			}
		})
	}
	t.Run("half a transcript never breaks a judge", func(t *testing.T) { neverBreaks(t, saved, day, short) })
}

// folder is a copy of a report that is going to be spoiled.
type folder struct {
	t   *testing.T
	dir string
}

func (f folder) read(file string) string {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, file))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

func (f folder) write(file, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, file), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) remove(files ...string) {
	f.t.Helper()
	for _, file := range files {
		if err := os.Remove(filepath.Join(f.dir, file)); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f folder) pipe(file string) {
	f.t.Helper()
	if err := syscall.Mkfifo(filepath.Join(f.dir, file), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) cut(file string) { f.write(file, f.read(file)[:len(f.read(file))/2]) }

func (f folder) replace(file, old, with string) {
	f.t.Helper()
	text := f.read(file)
	if !strings.Contains(text, old) {
		f.t.Fatalf("%s: no %q in it", file, old)
	}
	f.write(file, strings.Replace(text, old, with, 1))
}

// neverBreaks takes each field of a transcript away, empties each list, and wants a verdict or a refusal of what is left, not a panic:
// transcripts come from anywhere.
func neverBreaks(t *testing.T, saved string, files ...string) {
	for _, file := range files {
		text, err := fs.ReadFile(os.DirFS(saved), file)
		if err != nil {
			t.Fatal(err)
		}
		spoiled := filepath.Join(t.TempDir(), filepath.Base(file))
		for n := 0; ; n++ {
			var doc any
			if err := json.Unmarshal(text, &doc); err != nil {
				t.Fatal(err)
			}
			count := n
			what := spoil(doc, &count)
			if what == "" {
				break
			}
			half, err := json.Marshal(doc)
			if err == nil {
				err = os.WriteFile(spoiled, half, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := said(t, "check", spoiled); got.code == exitUsage {
				t.Errorf("%s without %s: got exit %d, stderr %q", file, what, got.code, got.err)
			}
		}
	}
}

// spoil removes the n-th field, or empties the n-th list, and says which; "" = there is none. Only the first two of a list are spoiled.
func spoil(node any, n *int) string {
	switch v := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if *n == 0 {
				delete(v, key)
				return key
			}
			*n--
			if list, ok := v[key].([]any); ok && len(list) > 0 {
				if *n == 0 {
					v[key] = []any{}
					return "all " + key
				}
				*n--
			}
			if what := spoil(v[key], n); what != "" {
				return key + "." + what
			}
		}
	case []any:
		for _, item := range v[:min(2, len(v))] {
			if what := spoil(item, n); what != "" {
				return what
			}
		}
	}
	return ""
}
