package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/brownout-dev/brownout/scenarios"
)

const sound = "name: mine\nsays: The dependency is well.\ncases:\n  - name: read\n    request: GET /v1/catalogue\n    deadline: 5s\n"

func TestScenarioValidate(t *testing.T) {
	tests := []struct {
		name, text, want string // want follows the file's name; "" = sound
		reason           string
	}{
		{"sound", sound, "", "nothing is wrong"},
		{"empty", "", ": empty: want name, says and cases", "an empty file is no scenario"},
		{"no YAML", "name: [\n", ":1:7: sequence end token ']' not found", "with its place"},
		{"unknown field", "nam: mine\n" + sound, `:1:1: unknown field "nam"`, "a slip of the pen must not be ignored"},
		{"unknown field of a case", sound + "    scrip: [503]\n", `:7:5: unknown field "scrip"`, "at any depth"},
		{"unknown fault", sound + "    script: [explode]\n", `:7:14: "explode": unknown fault "explode": want one of `, "there is a list"},
		{"wrong phase", sound + "    script: [reset reply-head]\n", `:7:14: "reset reply-head": reset cannot strike at reply-head: `, "a fault that cannot be done is refused, never a silent no-op"},
		{"byte-level fault in a script", sound + "    script: [bandwidth connect]\n", `:7:14: "bandwidth connect": `, "bytes are the connection's: a script is of attempts"},
		{"bad duration", strings.Replace(sound, "5s", "5 parsecs", 1), `:6:15: deadline "5 parsecs": want a duration such as 300ms or 2s`, "with its place"},
		{"duration without a unit", strings.Replace(sound, "5s", "5", 1), `:6:15: deadline "5": want a duration such as 300ms or 2s`, "five what?"},
		{"bad duration of a policy", sound + "    policy: {max-attempts: 3, base: soon}\n", `:7:37: base "soon": want a duration such as 300ms or 2s`, "the same"},
		{"no path", strings.Replace(sound, "GET /v1/catalogue", "GET", 1), `:4:5: case 1 (read): request "GET": want a method and a path, such as "POST /v1/payments"`, "with the case's place"},
		{"query", strings.Replace(sound, "/v1/catalogue", "/v1/catalogue?a=b", 1), `:4:5: case 1 (read): request "GET /v1/catalogue?a=b": want a path without query`, "the operation's token goes there"},
		{"unknown scale", sound + "    scale: lunar-month\n", `:4:5: case 1 (read): scale "lunar-month": want one of attempt-timeout, connect-timeout, `, "the list is short"},
		{"unknown origin", sound + "    origin: third\n", `:4:5: case 1 (read): origin "third": want second, closed, own or nothing for the first`, "the list is short"},
		{"negative capacity", "capacity: -1\n" + sound, `:1:1: capacity -1: want 0 (as many as come) or more`, "nothing is less than nothing"},
		{"same name twice", sound + "  - name: read\n    request: GET /v1/catalogue\n", `:1:1: cases: "read" stands twice: want a name of its own for each`, "reports name cases"},
		{"second document", sound + "---\nname: other\n", ": a second document: want one scenario a file", "it would be forgotten"},
		{"no cases", "name: mine\nsays: x\n", ":1:1: cases: want at least one", "nothing would be played"},
		{"another name", strings.Replace(sound, "name: mine", "name: yours", 1), `: name "yours": want "mine", as the file is called`, "it could not be found by its name"},
		{"binary", "\x00\x1b[31m\xff", ":", "whatever it is, it does not reach the terminal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "mine.yaml")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, code := said(t, "scenario", "validate", file), exitUsage
			wantErr, wantOut := "brownout: "+file+tt.want, ""
			if tt.want == "" {
				code, wantErr, wantOut = exitConformant, "", file+": mine, sound\n"
			}
			if got.code != code || !strings.HasPrefix(got.err, wantErr) || got.out != wantOut {
				t.Errorf("got exit %d, stderr %q, stdout %q\nwant exit %d, stderr %q…, stdout %q: %s", got.code, got.err, got.out, code, wantErr, wantOut, tt.reason)
			}
			if lines := strings.Count(got.err, "\n"); lines > 2 || strings.ContainsAny(got.err, "\x1b\x00") {
				t.Errorf("got stderr %q, want one or two lines without control characters", got.err)
			}
		})
	}
}

func TestScenarioValidateTakesNoPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := said(t, "scenario", "validate", pipe); got.code != exitUsage || got.err != "brownout: "+pipe+": want a regular file\n" {
		t.Errorf("got exit %d, stderr %q, want a refusal: nobody writes to it", got.code, got.err)
	}
}

func TestScenarioValidateGoesOn(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "mine.yaml"), filepath.Join(dir, "bad.yaml")
	for file, text := range map[string]string{good: sound, bad: "nam: x\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	absent := filepath.Join(dir, "absent.yaml")
	got := said(t, "scenario", "validate", absent, bad, dir, good)
	want := ended{exitUsage, good + ": mine, sound\n",
		"brownout: stat " + absent + ": no such file or directory\n" + bad + ":1:1: unknown field \"nam\"\n" + dir + ": want a regular file\n"}
	if got != want {
		t.Errorf("got  %+v\nwant %+v: every file is looked at, whatever came before", got, want)
	}
}

func TestScenarioListAndShow(t *testing.T) {
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	list := said(t, "scenario", "list")
	if got := strings.Count(list.out, "\n"); list.code != exitConformant || got != len(all) {
		t.Errorf("got exit %d and %d lines, want 0 and one for each of %d scenarios", list.code, got, len(all))
	}
	for _, s := range all {
		shown := said(t, "scenario", "show", string(s.Name))
		if again, err := scenarios.Parse("shown", []byte(shown.out)); shown.code != exitConformant || err != nil || again.Name != s.Name {
			t.Errorf("%s: got exit %d, %v, name %q; want what is shown to be the scenario", s.Name, shown.code, err, again.Name)
		}
		if !strings.Contains(list.out, string(s.Name)+" ") || !strings.Contains(list.out, s.Says) {
			t.Errorf("%s: not in the list with what it says: %s", s.Name, list.out)
		}
	}
}
