package faults

import (
	"testing"

	"github.com/goccy/go-yaml"
)

func TestScriptForms(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"bare status", `[503, ok]`, `[status 503 before-commit, ok]`},
		{"words", `[reset after-commit, delay 300ms]`, `[reset after-commit, delay 300ms before-commit]`},
		{"retry-after spelling is kept", `["503 retry-after=-5", "503 retry-after=1.50", '429 retry-after=""', "503 retry-after=0x10", "503 retry-after=date+3s"]`,
			`[status 503 retry-after=-5 before-commit, status 503 retry-after=1.50 before-commit, 'status 429 retry-after="" before-commit', status 503 retry-after=0x10 before-commit, status 503 retry-after=date+3s before-commit]`},
		{"mapping", `[{fault: status, at: after-commit, code: 502, retry-after: [1, 2]}]`, `[status 502 retry-after=1 retry-after=2 after-commit]`},
		{"several at once", `[[delay 1s, reset after-commit]]`, `[delay 1s before-commit + reset after-commit]`},
		{"long form", `{steps: [503], repeat: true, probability: 0.4}`, `{steps: [status 503 before-commit], repeat: true, probability: 0.4}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var s Script
			if err := yaml.UnmarshalWithOptions([]byte(row.text), &s, yaml.Strict()); err != nil {
				t.Fatal(err)
			}
			if got := s.String(); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

func TestScriptErrors(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"unknown fault", "[explode]", `[1:2] unknown fault "explode": want one of delay, reset, status`},
		{"unknown field", "- {fault: delay, for: 1s, fro: 2s}", ``},
		{"bad phase", "- ok\n- {fault: reset, at: reply-body}", ``},
		{"bad code", "[{fault: status, code: 99}]", ``},
		{"words bad", "[delay soon]", ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			var s Script
			err := yaml.UnmarshalWithOptions([]byte(row.text), &s, yaml.Strict())
			t.Log(err)
			if err == nil {
				t.Error("no error")
			}
		})
	}
}
