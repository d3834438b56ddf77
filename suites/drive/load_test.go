package drive

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const everyClaim = `# what shop says of itself
name: shop
version: 1.0
features: [retries, retry-after, idempotency-key, cancel, budget, breaker, bulkhead, hedging, deadline-propagation, redirects, stream-body, http2, policy]
claims:
  max_attempts: 4
  base_ms: 100
  cap_ms: 2000
  multiplier: 2
  jitter: percent
  jitter_percent: 20.5
  retry_statuses: [429, 502, 503]
  attempt_timeout_ms: 1000
  connect_timeout_ms: 500
  bound_ms: 30000
  key_header: Idempotency-Key
  hint_jitter_ms: 400
  pushback_header: X-Should-Retry
  key_retention_ms: 86400000
  counts_redirects: true
  counts_conflicts: false
  deadline_header: {name: X-Deadline, format: ms}
  budget: {ratio: 0.1, min_per_second: 3, burst: 10}
  breaker: {threshold: 5, window_ms: 10000, cooldown_ms: 5000, probes: 1}
  bulkhead: {limit: 4}
  hedge: {delay_ms: 50, max_attempts: 2}
`

func everything() Hello {
	return Hello{
		Name: "shop", Version: "1.0", Features: features(),
		Claims: Claims{
			MaxAttempts: 4, BaseMS: 100, CapMS: 2000, Multiplier: 2, Jitter: PercentJitter, JitterPercent: 20.5,
			RetryStatuses: []int{429, 502, 503}, AttemptTimeoutMS: 1000, ConnectTimeoutMS: 500, BoundMS: 30000, KeyHeader: "Idempotency-Key",
			HintJitterMS: 400, PushbackHeader: "X-Should-Retry", KeyRetentionMS: 86400000, CountsRedirects: true,
			DeadlineHeader: DeadlineHeader{"X-Deadline", MillisecondsLeft},
			Budget:         RetryBudget{0.1, 3, 10},
			Breaker:        CircuitBreaker{5, 10000, 5000, 1},
			Bulkhead:       BulkheadLimit{4},
			Hedge:          HedgePolicy{50, 2},
		},
	}
}

func TestLoadClaims(t *testing.T) {
	tests := []struct {
		name string
		text string
		want Hello
	}{
		{"every word", everyClaim, everything()},
		{"JSON with tabs", "\ufeff{\n\t\"name\": \"shop\",\n\t\"features\": [\"retries\"],\n\t\"claims\": {\"max_attempts\": 3, \"budget\": {}}\n}\n",
			Hello{Name: "shop", Features: []Feature{Retries}, Claims: Claims{MaxAttempts: 3}}},
		{"least", "features: []\n", Hello{Features: []Feature{}}},
		{"one attempt", "claims: {max_attempts: 1}", Hello{Claims: Claims{MaxAttempts: 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "claims.yaml")
			os.WriteFile(path, []byte(tt.text), 0o600)
			got, err := LoadClaims(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestClaimsRefused(t *testing.T) {
	const retries = "features: [retries]\nclaims: "
	tests := []struct {
		name string
		text string
		want string
	}{
		{"empty", "# nothing\n", "c.yaml: empty: want features and claims"},
		{"a list", "- retries\n", "c.yaml:1:1: want a mapping with features and claims"},
		{"two documents", "name: a\n---\nname: b\n", "c.yaml:3:5: a second document: want only one"},
		{"no YAML", "claims: {", "c.yaml:1:9: "},
		{"a word twice", "name: a\nname: b\n", `c.yaml:2:1: mapping key "name" already defined at [1:1]`},

		{"unknown word", "feature: [retries]\n", "c.yaml:1:1: feature: unknown word: want one of name, version, features, claims"},
		{"unknown claim", "claims:\n  max_retries: 3\n", "c.yaml:2:3: claims.max_retries: unknown word: want one of max_attempts, base_ms, cap_ms, "},
		{"unknown part", "claims: {budget: {rate: 1}}\n", "c.yaml:1:19: claims.budget.rate: unknown word: want one of ratio, min_per_second, burst"},
		{"our own word", "driver: go\n", "c.yaml:1:1: driver: unknown word"},
		{"unknown feature", "features:\n  - retries\n  - retry\n", `c.yaml:3:5: features[2]: unknown feature "retry": want one of retries, retry-after, idempotency-key, cancel,`},
		{"our own feature", "features: [process-per-call]\n", `c.yaml:1:12: features[1]: unknown feature "process-per-call"`},
		{"feature twice", "features: [cancel, cancel]\n", `c.yaml:1:20: features[2]: "cancel" is there twice`},

		{"text for a number", retries + "{base_ms: 100ms}", `c.yaml:2:19: claims.base_ms: want a whole number, got "100ms"`},
		{"fraction for a whole number", retries + "{max_attempts: 2.5}", `c.yaml:2:24: claims.max_attempts: want a whole number, got "2.5"`},
		{"quoted number", retries + `{max_attempts: "4"}`, `claims.max_attempts: want a whole number, got "4"`},
		{"far too much", retries + "{max_attempts: 99999999999999999999}", "claims.max_attempts: want a whole number"},
		{"nothing", retries + "{base_ms: }", "claims.base_ms: want a whole number, got nothing"},
		{"no number", "claims: {multiplier: .nan}", `claims.multiplier: want a number, got ".nan"`},
		{"no truth value", "claims: {counts_redirects: 1}", `claims.counts_redirects: want true or false, got "1"`},
		{"no list", "features: retries\n", `c.yaml:1:11: features: want a list, got "retries"`},
		{"no mapping", "claims: [a]\n", "c.yaml:1:9: claims: want a mapping with max_attempts, base_ms,"},
		{"no text", "name: {a: 1}\n", "c.yaml:1:7: name: want a text, got a mapping"},

		{"too long", "claims: {bound_ms: 9223372036854775807}\n", "claims.bound_ms: 9223372036854775807: want at most 31536000000, which is a year"},
		{"too long, in a part", "features: [breaker]\nclaims: {breaker: {cooldown_ms: 99999999999}}\n", "claims.breaker.cooldown_ms: 99999999999: want at most 31536000000, which is a year"},
		{"brackets without end", strings.Repeat("[", 500_000), "c.yaml: brackets or lists nest deeper than 50: want features and claims"},
		{"lists without end", strings.Repeat("- ", 500_000), "c.yaml: brackets or lists nest deeper than 50: want features and claims"},
		{"below zero", retries + "{max_attempts: -1}", "claims.max_attempts: -1 is below zero"},
		{"attempts without retries", "claims: {max_attempts: 4}", `c.yaml:1:24: claims.max_attempts: 4 attempts without the feature "retries"`},
		{"retries without attempts", retries + "{max_attempts: 1}", `claims.max_attempts: 1 attempt, but the feature "retries" is declared`},
		{"base above cap", retries + "{base_ms: 500, cap_ms: 200}", "c.yaml:2:19: claims.base_ms: 500 is above cap_ms 200: want a base that the cap allows"},
		{"shrinking waits", retries + "{multiplier: 0.5}", "claims.multiplier: 0.5 makes waits shrink: want 1 or more"},
		{"unknown jitter", retries + "{jitter: random}", `claims.jitter: unknown jitter "random": want one of none, full, equal, decorrelated, percent`},
		{"percent of another jitter", retries + "{jitter: full, jitter_percent: 20}", `claims.jitter_percent: is only of jitter: percent, not of "full"`},
		{"percent of nothing", retries + "{jitter_percent: 20}", `claims.jitter_percent: is only of jitter: percent, not of ""`},
		{"jitter percent without one", retries + "{jitter: percent}", "claims.jitter: percent needs jitter_percent"},
		{"more than all", retries + "{jitter: percent, jitter_percent: 150}", "claims.jitter_percent: 150: want a number from 0 to 100"},
		{"retries a success", retries + "{retry_statuses: [503, 200]}", "c.yaml:2:32: claims.retry_statuses[2]: 200: want a status from 300 to 599"},
		{"no header", "claims: {key_header: Idempotency Key}", `claims.key_header: "Idempotency Key" cannot name a header field`},
		{"budget without its feature", "claims: {budget: {ratio: 0.1}}", `claims.budget: is claimed without the feature "budget"`},
		{"unknown deadline format", "features: [deadline-propagation]\nclaims: {deadline_header: {name: X, format: s}}", `claims.deadline_header.format: unknown format "s": want one of ms, seconds, grpc, rfc3339`},
		{"half a deadline header", "features: [deadline-propagation]\nclaims: {deadline_header: {name: X}}", "claims.deadline_header: want a name and a format"},
		{"hedge of one", "features: [hedging]\nclaims: {hedge: {max_attempts: 1}}", "claims.hedge.max_attempts: 1: want 2 or more"},
		{"the first of several", retries + "{multiplier: 0.5, jitter: x, base_ms: -1}", "claims.multiplier: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseClaims("c.yaml", []byte(tt.text))
			if err == nil {
				t.Fatalf("got %+v; want it refused", got)
			}
			if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q; want one line with %q", err, tt.want)
			}
		})
	}
}

func TestLoadClaimsOfNoFile(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "absent.yaml"): "no such file",
		dir:                               "want a file of at most",
	} {
		_, err := LoadClaims(path)
		wantPart(t, "error", text(err), want)
	}
}
