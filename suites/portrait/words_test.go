package portrait

import "testing"

// What a line says is true of the least that can be seen, too.
func TestWordsOfLittle(t *testing.T) {
	refused := Cause{What: "a refused connection"}
	refused.Unkeyed.Repeated = 1
	tests := []struct{ got, want, why string }{
		{Portrait{Retries: Yes, Causes: []Cause{refused}}.retries(), "writes without a key as well on a refused connection", "the service saw no repeat, so no number is known"},
		{Portrait{Retries: Yes, Attempts: Attempts{Most: 4}, Causes: []Cause{refused}}.retries(), "up to 4 attempts; writes without a key as well on a refused connection", "it saw some"},
		{Portrait{Timer: Timer{Attempts: 1}}.timer(), "gives an attempt up after 0s (1 attempt)", "one is no plural"},
		{Portrait{Keys: Keys{Writes: 1}}.keys(), "none, on 1 write", "one is no plural"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, tt.got, tt.want)
		}
	}
}
