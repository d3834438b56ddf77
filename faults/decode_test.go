package faults

import (
	"strings"
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
		{"several at once, in words", `[delay 1s + reset after-commit]`, `[delay 1s before-commit + reset after-commit]`},
		{"a step of both forms", `[[delay 1s, {fault: reset}]]`, `[delay 1s before-commit + reset after-commit]`},
		{"block style", "- ok\n- fault: truncate\n  bytes: 0\n  chunked: true\n  end: reset", `[ok, truncate 0 chunked=true end=reset reply-body]`},
		{"number's spelling is kept", `[{fault: status, code: 503, retry-after: [1.50, 0x10, -5, +1, 1_000, .inf, true, "", '1e400']}]`,
			`['status 503 retry-after=1.50 retry-after=0x10 retry-after=-5 retry-after=+1 retry-after=1_000 retry-after=.inf retry-after=true retry-after="" retry-after=1e400 before-commit']`},
		{"headers", "- fault: status\n  code: 503\n  headers: {X-Two: 2, 'X-One': \"a: b\"}", `['status 503 headers="X-One: a: b" headers="X-Two: 2" before-commit']`},
		{"text over lines", "- fault: garbage\n  text: |\n    one\n    two\n", `['garbage "one\ntwo\n" reply-head']`},
		{"anchors and tags change nothing", `[&a !!str reset, {fault: &b delay, for: !!str 1s}]`, `[reset after-commit, delay 1s before-commit]`},
		{"comments", "- reset # lost\n# then\n- ok", `[reset after-commit, ok]`},
		{"no steps", `[]`, `[]`},
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

// Each error begins with the line and column of what is wrong.
func TestScriptErrors(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"unknown fault in words", `[explode]`, `[1:2] "explode": unknown fault "explode": want one of ` + allNames},
		{"unknown fault in a mapping", "- ok\n- {fault: explode}", `[2:11] unknown fault "explode": want one of ` + allNames},
		{"no fault in a mapping", `[{at: head}]`, `[1:2] fault: got nothing, want the name of one, such as {fault: reset, at: after-commit}`},
		{"empty name", "- fault:\n  at: head", `[1:9] fault: got nothing, want one word`},
		{"name is a list", `[{fault: [reset]}]`, `[1:10] fault: got a list, want one word`},
		{"unknown field", "- {fault: delay, for: 1s, fro: 2s}", `[1:27] unknown field "fro": want one of for of delay, or at`},
		{"unknown field of a fault without any", "- fault: reset\n  for: 2s", `[2:3] unknown field "for": reset has none but "at"`},
		{"merge key", "- {<<: {for: 1s}, fault: delay}", `[1:4] unknown field "<<": want one of for of delay, or at`},
		{"field twice", "- {fault: delay, for: 1s, for: 2s}", `[1:27] mapping key "for" already defined at [1:18]`},
		{"unknown phase", "- ok\n- {fault: reset, at: later}", `[2:22] unknown phase "later": want one of connect, head, before-commit, after-commit, reply-head, reply-body, idle`},
		{"phase is a mapping", "- {fault: reset, at: {head: 1}}", `[1:22] at: got a mapping, want one word`},
		{"phase that cannot be", "- ok\n- {fault: delay, for: 1s, at: idle}", `[2:3] delay cannot strike at idle: the reply is whole by then; want at: before-commit, head, after-commit`},
		{"phase that cannot be, in words", "- ok\n- hold idle", `[2:3] "hold idle": hold cannot strike at idle: the reply is whole by then; want at: before-commit, head, after-commit`},
		{"bad code", "- {fault: status, code: 99}", `[1:25] code: got 99, want a final HTTP status, 200 to 599`},
		{"code is a fraction", "- {fault: status, code: 502.9}", `[1:25] code: got 502.9, want a final HTTP status, 200 to 599`},
		{"code is a flag", "- {fault: status, code: true}", `[1:25] code: got true, want a final HTTP status, 200 to 599`},
		{"code is a list", "- {fault: status, code: [503]}", `[1:25] code: got a list, want a final HTTP status, 200 to 599`},
		{"code is missing", "- ok\n- fault: status\n  at: head", `[2:8] code: got nothing, want a final HTTP status, 200 to 599`},
		{"duration without a unit", "- {fault: delay, for: 5}", `[1:23] for: got 5, want a duration above zero, such as 300ms`},
		{"duration is empty", "- {fault: delay, for: }", `[1:22] for: got nothing, want a duration above zero, such as 300ms`},
		{"duration is null", "- {fault: delay, for: ~}", `[1:23] for: got nothing, want a duration above zero, such as 300ms`},
		{"duration in words", "[delay soon]", `[1:2] "delay soon": for: got soon, want a duration above zero, such as 300ms`},
		{"hint in a list", "- {fault: status, code: 503, retry-after: [1, [2]]}", `[1:47] retry-after: got a list, want any values without line breaks; date, rfc850, asctime and epoch take a duration, as in date+3s`},
		{"hint is a mapping", "- {fault: status, code: 503, retry-after: {a: 1}}", `[1:43] retry-after: got a mapping, want any values without line breaks; date, rfc850, asctime and epoch take a duration, as in date+3s`},
		{"headers are a list", "- {fault: status, code: 503, headers: [a]}", `[1:39] headers: got a list, want names once each and values without line breaks; no Content-Length, Transfer-Encoding or Retry-After, which are set otherwise`},
		{"header has no value", "- {fault: status, code: 503, headers: {a: }}", `[1:42] headers: got nothing, want names once each and values without line breaks; no Content-Length, Transfer-Encoding or Retry-After, which are set otherwise`},
		{"a bad fault of several", "- [delay 1s, {fault: drip, every: 0s}]", `[1:35] every: got 0s, want a duration above zero, such as 100ms`},
		{"ok beside a fault", "- [ok, reset]", `[1:4] got 0 faults, want one such as "reset after-commit"`},
		{"empty step", "- []", `[1:3] got an empty list, want faults, or ok for a sound attempt`},
		{"list in a step", "- [[reset]]", `[1:4] got a list, want a fault such as "reset after-commit" or {fault: reset, at: after-commit}`},
		{"null step", "- ~", `[1:3] got nothing, want a fault such as "reset after-commit" or {fault: reset, at: after-commit}`},
		{"alias to a step", "- &a reset\n- *a", `[2:3] got an alias, want a fault such as "reset after-commit" or {fault: reset, at: after-commit}`},
		{"fault of connections", "- ok\n- latency 100ms", `[2:3] latency acts on a whole connection, and a kept connection carries many attempts: put it under connections, by the connection's number`},
		{"two that send", "- drip 1s + garbage", `[1:3] drip and garbage would both send the reply: want one of them`},

		{"not a list", "reset", `[1:1] want a list of steps, such as [503, reset after-commit, ok], or {steps: [503], repeat: true}`},
		{"no steps", "repeat: true", `[1:7] want a list of steps, such as [503, reset after-commit, ok], or {steps: [503], repeat: true}`},
		{"steps are no list", "{steps: reset}", `[1:1] want a list of steps, such as [503, reset after-commit, ok], or {steps: [503], repeat: true}`},
		{"nothing to repeat", "{steps: [], repeat: true}", `[1:1] repeat: got true without steps, want a step to repeat`},
		{"unknown option", "{steps: [reset], times: 3}", `[1:18] unknown field "times" of a script: want one of steps, repeat, probability`},
		{"repeat is a number", "{steps: [reset], repeat: 3}", `[1:26] repeat: got 3, want true or false`},
		{"never", "{steps: [reset], probability: 0}", `[1:31] probability: got 0, want a number above 0, up to 1; without it a step always strikes`},
		{"more than always", "{steps: [reset], probability: 1.01}", `[1:1] probability: got 1.01, want a number above 0, up to 1; without it a step always strikes`},
		{"not a number", "{steps: [reset], probability: .nan}", `[1:31] probability: got .nan, want a number above 0, up to 1; without it a step always strikes`},
		{"percent", "{steps: [reset], probability: 40%}", `[1:31] probability: got "40%", want a number above 0, up to 1; without it a step always strikes`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var s Script
			err := yaml.UnmarshalWithOptions([]byte(row.text), &s, yaml.Strict())
			if err == nil {
				t.Fatalf("got %s, want an error", s)
			}
			if got, _, _ := strings.Cut(err.Error(), "\n"); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
			if s.Steps != nil {
				t.Errorf("got %s beside the error, want nothing", s)
			}
		})
	}
}

const allNames = "refuse, blackhole, accept-and-close, accept-and-reset, accept-and-stall, latency, bandwidth, slice, limit, delay, hold, close, reset, status, redirect, sever, saved, interim, no-continue, range, truncate, drip, stall, last-chunk, garbage, conflict, unclosed, surplus"
