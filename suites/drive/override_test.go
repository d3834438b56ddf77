package drive

import (
	"reflect"
	"slices"
	"testing"
)

func TestOverride(t *testing.T) {
	own := Hello{Name: "shop", Features: []Feature{Retries}, Claims: Claims{MaxAttempts: 3, RetryStatuses: []int{503}}}
	exec := Hello{Features: []Feature{Retries, ProcessPerCall}}
	tests := []struct {
		name     string
		of       Hello
		features []string
		claims   []string
		want     Hello
		refusal  string
		reason   string
	}{
		{"nothing", own, nil, nil, own, "", "as it was"},
		{"over its own", own, nil, []string{"max_attempts=4"}, Hello{"shop", "", "", []Feature{Retries}, Claims{MaxAttempts: 4, RetryStatuses: []int{503}}}, "", "the last word counts"},
		{"a list", own, nil, []string{"retry_statuses=429, 503"}, Hello{"shop", "", "", []Feature{Retries}, Claims{MaxAttempts: 3, RetryStatuses: []int{429, 503}}}, "", "replaced as a whole"},
		{"a part", exec, []string{"budget"}, []string{"budget.ratio=0.1", "jitter=full", "counts_redirects=true"},
			Hello{Features: []Feature{Retries, ProcessPerCall, Budget}, Claims: Claims{Budget: RetryBudget{Ratio: 0.1}, Jitter: FullJitter, CountsRedirects: true}}, "", "dots lead inside"},
		{"a feature twice", own, []string{"retries", "cancel"}, nil, Hello{"shop", "", "", []Feature{Retries, Cancel}, own.Claims}, "", "said already, and no harm"},

		{"no value", own, nil, []string{"max_attempts"}, Hello{}, `claim "max_attempts": want a name and a value, such as max_attempts=4`, "half a claim"},
		{"unknown", own, nil, []string{"attempts=4"}, Hello{}, `claim "attempts": unknown word: want one of max_attempts, `, "says what there is"},
		{"unknown part", own, nil, []string{"budget.share=1"}, Hello{}, `claim "budget.share": unknown word: want one of ratio, min_per_second, burst`, "says which parts there are"},
		{"a whole", own, nil, []string{"budget=0.1"}, Hello{}, `claim "budget": want one of its parts: budget.ratio, budget.min_per_second, budget.burst`, "it has parts"},
		{"no parts", own, nil, []string{"jitter.kind=full"}, Hello{}, `claim "jitter.kind": jitter has no parts: want jitter=value`, "it has none"},
		{"no number", own, nil, []string{"max_attempts=four"}, Hello{}, `claim max_attempts: want a whole number, got "four"`, "wrong kind"},
		{"not a number", own, nil, []string{"multiplier=NaN"}, Hello{}, `claim multiplier: want a number, got "NaN"`, "it would compare with nothing"},
		{"a broken list", own, nil, []string{"retry_statuses=429,often"}, Hello{}, `claim retry_statuses: want a list with commas between, each a whole number, got "429,often"`, "wrong kind"},
		{"unknown feature", own, []string{"retry"}, nil, Hello{}, `feature "retry": unknown word: want one of retries, `, "says which there are"},
		{"the carrier's own word", own, []string{"process-per-call"}, nil, Hello{}, `feature "process-per-call": unknown word`, "the carrier knows better"},
		{"contradiction", Hello{}, nil, []string{"max_attempts=4"}, Hello{}, `claims.max_attempts: 4 attempts without the feature "retries": declare it`, "as in a file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.of.Override(tt.features, tt.claims)
			wantPart(t, "refusal", text(err), tt.refusal)
			if err == nil && !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v: %s", got, tt.want, tt.reason)
			}
		})
	}
	if own.Claims.MaxAttempts != 3 || own.Claims.RetryStatuses[0] != 503 || len(own.Features) != 1 {
		t.Errorf("got %+v, want the hello that was overridden as it was", own)
	}
}

func TestClaimsSpellThemselves(t *testing.T) {
	words := []string{"max_attempts=4", "multiplier=1.5", "jitter=full", "retry_statuses=429,503", "counts_redirects=true", "budget.ratio=0.1", "hedge.delay_ms=50"}
	h, err := Hello{}.Override([]string{"retries", "budget", "hedging"}, words)
	if got := h.Claims.Spell(); err != nil || !slices.Equal(got, words) {
		t.Errorf("got %q, %v; want %q, as they were given", got, err, words)
	}
	if got := (Claims{}).Spell(); len(got) > 0 {
		t.Errorf("got %q, want nothing of what claims nothing", got)
	}
}
