package faults_test

import (
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/brownout-dev/brownout/faults"
)

func TestScaled(t *testing.T) {
	tests := []struct{ script, want, why string }{
		{`[delay 1s, ok]`, `[delay 400ms before-commit, ok]`, "a duration is multiplied"},
		{`[503 retry-after=2]`, `[503 retry-after=2 before-commit]`, "what the server says stays as it is"},
		{`{steps: [drip 100ms], repeat: true}`, `{steps: [drip 40ms reply-body], repeat: true}`, "numbers that are no durations stay"},
		{`[delay 1s + reset after-commit]`, `[delay 400ms before-commit + reset after-commit]`, "each fault of an attempt"},
	}
	for _, tt := range tests {
		t.Run(tt.script, func(t *testing.T) {
			s, want := script(t, tt.script), script(t, tt.want)
			before := s.String()
			if got := s.Scaled(0.4).String(); got != want.String() {
				t.Errorf("got %s, want %s: %s", got, want, tt.why)
			}
			if s.String() != before {
				t.Errorf("the script itself became %s: it is shared", s)
			}
		})
	}
}

func script(t *testing.T, text string) (s faults.Script) {
	t.Helper()
	if err := yaml.UnmarshalWithOptions([]byte(text), &s, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return s
}
