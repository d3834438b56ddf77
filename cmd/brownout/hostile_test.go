package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// harmful is what must not reach a screen, whoever wrote it: escapes, bells, carriage returns, C1 controls, text turned around.
const harmful = "\x1b\x07\r\u009b\u202e\x00"

func (e ended) harmless(t *testing.T) {
	t.Helper()
	for name, text := range map[string]string{"stdout": e.out, "stderr": e.err} {
		if i := strings.IndexAny(text, harmful); i >= 0 || strings.ToValidUTF8(text, "") != text {
			t.Errorf("got on %s: %q, want everything spelled out", name, text)
		}
	}
}

// TestHostileClient is about a client whose name, answers and streams try to get at the screen, and at whoever opens the report.
func TestHostileClient(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	claims := filepath.Join(dir, "claims.yaml")
	if err := os.WriteFile(claims, []byte(`name: "shop\e[2J\a<script>\u202e"`+"\nversion: \"\\e[31m\"\nfeatures: [retries]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(dir, "out")
	got := ran(t, append(client("hostile", "--rules", "RT-11,CX-01", "--claims", claims, "--report", saved), "\x1b[31m")...)
	got.harmless(t)
	if got.code != exitNotConformant {
		t.Errorf("got exit %d, want 1: it asks twice\n%s%s", got.code, got.out, got.err)
	}
	for _, want := range []string{`shop\x1b[2J\a<script>\u202e is not-conformant: 1 pass, 1 fail` + "\n", `the client said: error (\x1b[2J\x1b]0;owned\a<script>`, `be hostile '\x1b[31m'` + "\n"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("want %q on stdout:\n%s", want, got.out)
		}
	}
	if !strings.HasPrefix(got.err, `judging shop\x1b[2J\a<script>\u202e with seed `) {
		t.Errorf("got stderr %q, want the name spelled out", got.err)
	}
	r := readReport(t, saved)
	r.sound(t, saved)
	r.agreesWithJUnit(t, saved)
	if r.Client["name"] != "shop\x1b[2J\x07<script>\u202e" || !strings.HasSuffix(r.Args, " '\x1b[31m'") {
		t.Errorf("got name %q, args %q; want what they are: machines read it", r.Client["name"], r.Args)
	}
	for _, file := range list(t, saved) {
		text, err := os.ReadFile(filepath.Join(saved, file))
		if err != nil || strings.Contains(string(text), "<script") || strings.ContainsAny(string(text), harmful+"\x7f") {
			t.Errorf("%s: %v: got tags or control characters in it as they are", file, err)
		}
	}
	again := said(t, "check", saved)
	again.harmless(t)
	if again.code != got.code || again.out+"report: "+saved+"\n" != got.out {
		t.Errorf("check: got exit %d:\n%s\nwant what the run said:\n%s", again.code, again.out, got.out)
	}
	t.Run("transcript", func(t *testing.T) {
		hostileTranscripts(t, filepath.Join(saved, "transcripts", "success-then-close.json"))
	})
}

// hostileTranscripts puts hostile text into each text of a transcript that may be any text.
func hostileTranscripts(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, field := range []string{"scenario_text", "lab", "name", "case", "script", "method", "target", "outcome", "error", "trouble", "key", "fault", "last_words", "id", "operation", "result"} {
		var doc any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		poison(doc, field)
		poisoned, err := json.Marshal(doc)
		if err == nil {
			err = os.WriteFile(file, poisoned, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := said(t, "check", file)
		got.harmless(t)
		if strings.Contains(got.out, `\x1b[2J`) {
			shown++
		}
	}
	if shown < 4 {
		t.Errorf("got %d hostile fields shown, want some of them, or this test looks at nothing", shown)
	}
}

// poison sets every field of that name to hostile text.
func poison(node any, field string) {
	switch v := node.(type) {
	case map[string]any:
		if _, ok := v[field].(string); ok {
			v[field] = hostile
		}
		for _, child := range v {
			poison(child, field)
		}
	case []any:
		for _, child := range v {
			poison(child, field)
		}
	}
}
