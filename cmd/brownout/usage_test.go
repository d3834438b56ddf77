package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrongUsage(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"word.yaml":    "name: shop\nclaim: {max_attempts: 4}\n",
		"broken.yaml":  "name: shop\n  claims: {\n",
		"against.yaml": "name: shop\nclaims:\n  max_attempts: 4\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		args   string // DIR stands for a folder with the files above, '' for an empty argument
		want   string // what is said, after "brownout: "
		help   string // which command's help is pointed at; "" = none
		reason string
	}{
		{"nope", `unknown command "nope" for "brownout"`, "brownout", "no such command"},
		{"--nope", "unknown flag: --nope", "brownout", "no such flag"},
		{"help nope", `unknown command "nope" for "brownout"`, "brownout help", "cobra's own help calls this a success"},
		{"help scenario nope", `unknown command "nope" for "brownout scenario": want one of list, show, validate`, "brownout help", "at any depth"},
		{"clients all", `"all" is too much: want brownout clients`, "brownout clients", "it takes none"},
		{"rules RT-01", `"RT-01" is too much: want brownout rules`, "brownout rules", "it takes none"},

		{"run", "no client: want --client NAME, or --exec -- command argument…, or --jsonl -- command argument…", "brownout run", "nothing to judge"},
		{"run -- ls", "no client: want --client NAME, or --exec -- command argument…, or --jsonl -- command argument…", "brownout run", "a command without --exec"},
		{"run --nope", "unknown flag: --nope", "brownout run", "no such flag"},
		{"run --client nobody", `no bundled client is called "nobody": want one of steady, guarded, isolating, hedging, naive, nethttp, curl`, "brownout run", "no such client"},
		{"run --client steady --exec -- ls", "--client, --exec and --jsonl: want one of them", "brownout run", "which of the two?"},
		{"run --client steady ls", `"ls": --client takes no command; want --exec -- command`, "brownout run", "the command would be forgotten"},
		{"run --client steady --claims DIR/word.yaml", "--claims: bundled clients and jsonl clients bring their own claims; want --exec -- command with it, or --claim", "brownout run", "they would be forgotten"},
		{"run --client steady --claim max_attempts", `--claim, --feature: claim "max_attempts": want a name and a value, such as max_attempts=4`, "brownout run", "half a claim"},
		{"run --client steady --claim budget.share=1", `--claim, --feature: claim "budget.share": unknown word: want one of ratio, min_per_second, burst`, "brownout run", "no such claim"},
		{"run --client steady --claim base_ms=3000", `--claim, --feature: claims.base_ms: 3000 is above cap_ms 2000: want a base that the cap allows`, "brownout run", "against what the client says itself"},
		{"run --client steady --feature retry", `--claim, --feature: feature "retry": unknown word: want one of retries, retry-after, idempotency-key, cancel, budget, breaker, bulkhead, hedging, deadline-propagation, redirects, stream-body, http2, policy`, "brownout run", "no such feature"},
		{"run --client steady --claim ''", "--claim is empty: want a value, or no --claim at all", "brownout run", "an unset variable"},
		{"run --exec", "no command: want the client's command after --", "brownout run", "no command"},
		{"run --exec curl -s", "unknown shorthand flag: 's' in -s; if it is the client's, want -- before the client's command", "brownout run", "the usual slip"},
		{"run --exec -- ./no-such-client", `command "./no-such-client" cannot be run: stat ./no-such-client: no such file or directory: want a program's name or path`, "brownout run", "by path"},
		{"run --exec -- no-such-client", `command "no-such-client" cannot be run: executable file not found in $PATH: want a program's name or path`, "brownout run", "by name"},
		{"run --client steady --rules NOPE", `no rule matches "NOPE": want an id such as RT-08, or a pattern such as RT-*; brownout rules lists them`, "brownout run", "no such rule"},
		{"run --client steady --rules RT-01,XX-*", `no rule matches "XX-*": want an id such as RT-08, or a pattern such as RT-*; brownout rules lists them`, "brownout run", "a pattern without match, beside a good one"},
		{"run --client steady --rules [", `rule pattern "[": want an id such as RT-08, or a pattern such as RT-*`, "brownout run", "no pattern"},
		{"run --client steady --rules ''", "--rules is empty: want a value, or no --rules at all", "brownout run", "an unset variable would select all rules"},
		{"run --client steady --report ''", "--report is empty: want a value, or no --report at all", "brownout run", "an unset variable would write no report"},
		{"run --client ''", "--client is empty: want a value, or no --client at all", "brownout run", "an unset variable"},
		{"run --client steady --jobs 0", "--jobs 0: want 1 or more", "brownout run", "nothing would be played"},
		{"run --client steady --repeat 0", "--repeat 0: want 1 or more", "brownout run", "nothing would be played"},
		{"run --client steady --profile rude", `--profile: profile "rude": want one of basic, polite, safe, isolating, full`, "brownout run", "no such profile"},
		{"run --client steady --profile safe:aws", `--profile: profile "safe:aws": safe has no variants: want one of basic, polite, safe, isolating, full`, "brownout run", "nothing in it is disputed"},
		{"run --client steady --profile polite:aws,full:grpc", "--profile: aws and grpc: want one word on Retry-After", "brownout run", "which of the two?"},
		{"run --client steady --profile safe --rules RA-*", "--rules, --profile: no rule is in both: want rules of the profile, or one of the two", "brownout run", "an empty run is no success"},
		{"rules --profile rude", `--profile: profile "rude": want one of basic, polite, safe, isolating, full`, "brownout rules", "no such profile"},
		{"run --client steady --jobs many", `--jobs "many": want a whole number`, "brownout run", "in our words, not in strconv's"},
		{"run --client steady --seed -1", `--seed "-1": want a whole number that is not below zero`, "brownout run", "seeds are unsigned"},
		{"run --client steady --strict=perhaps", `--strict "perhaps": want true or false`, "brownout run", "a switch"},
		{"run --client steady --listen 0.0.0.0:8080", `--listen "0.0.0.0:8080": want an IPv4 loopback address and a port, such as 127.0.0.1:8080: the fake answers everybody who can reach it`, "brownout run", "reachable from outside"},
		{"run --client steady --listen example.com:80", `--listen "example.com:80": want an IPv4 loopback address and a port, such as 127.0.0.1:8080: the fake answers everybody who can reach it`, "brownout run", "a name may mean anything"},
		{"run --client steady --listen 127.0.0.1", `--listen "127.0.0.1": want an IPv4 loopback address and a port, such as 127.0.0.1:8080`, "brownout run", "no port"},
		{"run --client steady --listen 127.0.0.1:0", `--listen "127.0.0.1:0": want an IPv4 loopback address and a port, such as 127.0.0.1:8080 from 1 to 65535`, "brownout run", "another port for each play"},
		{"run --client steady --listen 127.0.0.1:99999", `--listen "127.0.0.1:99999": want an IPv4 loopback address and a port, such as 127.0.0.1:8080 from 1 to 65535`, "brownout run", "no such port"},
		{"run --exec --claims DIR/absent.yaml -- ls", "claims: stat DIR/absent.yaml: no such file or directory", "", "help on flags is no help with a file"},
		{"run --exec --claims DIR -- ls", "claims: DIR: want a file of at most 1048576 bytes", "", "a folder"},
		{"run --exec --claims DIR/word.yaml -- ls", "DIR/word.yaml:2:1: claim: unknown word: want one of name, version, features, claims", "", "an unknown field, with its place"},
		{"run --exec --claims DIR/broken.yaml -- ls", "DIR/broken.yaml:1:7: mapping value is not allowed in this context", "", "no YAML, with its place"},
		{"run --exec --claims DIR/against.yaml -- ls", `DIR/against.yaml:3:17: claims.max_attempts: 4 attempts without the feature "retries": declare it, or claim 1 attempt`, "", "claims that contradict each other"},

		{"explain", "something is missing: want brownout explain RULE…", "brownout explain", "which rule?"},
		{"explain RT-99", `no rule matches "RT-99": want an id such as RT-08, or a pattern such as RT-*; brownout rules lists them`, "brownout explain", "no such rule"},
		{"check", "something is missing: want brownout check TRANSCRIPT…", "brownout check", "which transcripts?"},
		{"scenario nope", `unknown command "nope" for "brownout scenario": want one of list, show, validate`, "brownout scenario", "cobra alone would show help and call it a success"},
		{"scenario show", "something is missing: want brownout scenario show NAME", "brownout scenario show", "which one?"},
		{"scenario show busy-twice short-reply", `"short-reply" is too much: want brownout scenario show NAME`, "brownout scenario show", "one at a time"},
		{"scenario show nope", `no scenario is called "nope"; brownout scenario list lists them`, "brownout scenario show", "no such scenario"},
		{"scenario validate", "something is missing: want brownout scenario validate FILE…", "brownout scenario validate", "which file?"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			got := said(t, words(tt.args, dir)...)
			want := "brownout: " + strings.ReplaceAll(tt.want, "DIR", dir) + "\n"
			if tt.help != "" {
				want += tt.help + " --help tells more\n"
			}
			if got.code != exitUsage || got.err != want || got.out != "" {
				t.Errorf("got exit %d, stderr %q, stdout %q\nwant exit %d, stderr %q and nothing else: %s", got.code, got.err, got.out, exitUsage, want, tt.reason)
			}
		})
	}
}

// words splits a command line at its spaces.
func words(line, dir string) []string {
	args := strings.Fields(strings.ReplaceAll(line, "DIR", dir))
	for i, a := range args {
		if a == "''" {
			args[i] = ""
		}
	}
	return args
}

func TestHelp(t *testing.T) {
	tests := []struct{ args, want, reason string }{
		{"", "Available Commands:", "brownout alone shows what there is"},
		{"--help", "Available Commands:", "asked for"},
		{"help", "Available Commands:", "asked for in words"},
		{"help run", "Exit status: 0 conformant, 1 not conformant, 2 could not judge, 3 wrong usage.", "CI stages rely on the codes"},
		{"run --help", "Exit status: 0 conformant, 1 not conformant, 2 could not judge, 3 wrong usage.", "the same"},
		{"scenario", "validate", "a command of parts shows them"},
		{"help scenario show", "brownout scenario show NAME", "at any depth"},
		{"--version", "brownout version", "for bug reports"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			got := said(t, words(tt.args, "")...)
			if got.code != exitConformant || !strings.Contains(got.out, tt.want) || got.err != "" {
				t.Errorf("got exit %d, stdout %q, stderr %q\nwant exit 0 and %q on stdout: %s", got.code, got.out, got.err, tt.want, tt.reason)
			}
		})
	}
}
