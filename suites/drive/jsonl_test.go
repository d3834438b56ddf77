//go:build unix

package drive

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// spoken makes a carrier of a child that says a hello of its own; file is unique to the test.
func spoken(t *testing.T, o JSONLOptions, args ...string) (c Carrier, file string, err error) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "ready")
	c, err = JSONL(t.Context(), child("jsonl", file, args...), o)
	t.Cleanup(func() {
		if ps := processesWith(file); len(ps) > 0 {
			t.Errorf("got processes %q after the end; want none", ps)
		}
		noGoroutineLeft(t)
	})
	return c, file, err
}

// talking gives a client in a play, and what ends it.
func talking(t *testing.T, o JSONLOptions, args ...string) (c Client, done func() error, file string) {
	t.Helper()
	farewell := o.Farewell
	o.Farewell = hangGuard // the process that says the first hello is not the one to be hurried
	carrier, file, err := spoken(t, o, args...)
	if err != nil {
		t.Fatal(err)
	}
	carrier.(*jsonlCarrier).options.Farewell = cmp.Or(farewell, hangGuard)
	c, done, err = carrier.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { done() })
	return c, done, file
}

// do has a child obey, with a guard against hanging.
func do(t *testing.T, c Client, method string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangGuard)
	defer cancel()
	return c.Do(ctx, Call{Operation: "op-0123456789", Method: method})
}

func TestJSONL(t *testing.T) {
	const (
		died    = "the process ended by itself (exit status 3) with 1 call under way: op-0123456789"
		wrong   = "the process wrote a wrong line: "
		tooLong = "the process wrote a line longer than 1048576 bytes: leave body out, and say body_sha256 and body_bytes instead, and was killed"
	)
	tests := []struct {
		name    string
		method  string
		outcome Outcome
		trouble string // a part of it; "" = none
		same    bool   // the next call is answered by the same process
		left    string // a part of what done complains about
		reason  string
	}{
		{name: "answer", method: "OK", outcome: OK, same: true, reason: "as it should be"},
		{name: "words on stderr", method: "WORDS I am well", outcome: OK, same: true, reason: "stderr is free"},
		{name: "spaces", method: `SAY   { "type" : "result" , "id" : "ID", "outcome":"failed","status":404 } ` + "\r", outcome: Failed, same: true, reason: "JSON has white space"},
		{name: "error beside status", method: `SAY {"type":"result","id":"ID","outcome":"unknown","status":502,"error":"lost","body_base64":"AP8="}`, outcome: Unknown, same: true, reason: "all fields"},

		{name: "unknown outcome", method: `SAY {"type":"result","id":"ID","outcome":"success"}`, outcome: Error, trouble: `unknown outcome "success": want one of ok, failed, unknown, error`, same: true, reason: "of this call alone"},
		{name: "no outcome", method: `SAY {"type":"result","id":"ID"}`, outcome: Error, trouble: `unknown outcome ""`, same: true, reason: "no guessing"},
		{name: "huge status", method: `SAY {"type":"result","id":"ID","outcome":"ok","status":1e400}`, outcome: Error, trouble: "the answer's status is 1e400: want the last reply's status as a number", same: true, reason: "no number for us"},
		{name: "huge length", method: `SAY {"type":"result","id":"ID","outcome":"ok","body_sha256":"","body_bytes":99999999999999999999}`, outcome: Error, trouble: "the answer's body_bytes is 99999999999999999999: want a whole number", same: true, reason: "nor this"},
		{name: "unknown field", method: `SAY {"type":"result","id":"ID","outcome":"ok","Status":200}`, outcome: Error, trouble: "unknown field Status: want some of type, id, outcome, status,", same: true, reason: "a slip must not be a rule not tested"},

		{name: "text", method: "SAY hello world", outcome: Error, trouble: wrong + "no JSON object: invalid character 'h' looking for beginning of value: stdout is for messages alone, and logs belong on stderr, and was killed", reason: "not a message"},
		{name: "empty line", method: "SAY ", outcome: Error, trouble: wrong + "no JSON object: unexpected end", reason: "not a message"},
		{name: "list", method: `SAY [{"type":"result","id":"ID","outcome":"ok"}]`, outcome: Error, trouble: wrong + "no JSON object", reason: "not an object"},
		{name: "null", method: "SAY null", outcome: Error, trouble: wrong + "no JSON object: null", reason: "not an object"},
		{name: "two on a line", method: `SAY {"type":"result","id":"ID","outcome":"ok"}{}`, outcome: Error, trouble: wrong + "no JSON object: invalid character '{' after top-level value", reason: "one object a line"},
		{name: "half a line", method: `SAY {"type":"result","id":"ID",`, outcome: Error, trouble: wrong + "no JSON object: unexpected end", reason: "one object a line"},
		{name: "field twice", method: `SAY {"type":"result","id":"ID","outcome":"failed","outcome":"ok"}`, outcome: Error, trouble: wrong + `"outcome" is there twice`, reason: "which one is meant?"},
		{name: "deep", method: "SAY " + `{"type":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}", outcome: Error, trouble: "exceeded max depth", reason: "our stack is not theirs to use"},
		{name: "deep beside", method: "SAY " + `{"type":"result","id":"ID","outcome":"ok","body":` + strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000) + "}", outcome: Error, trouble: "the answer's body is ", same: true, reason: "deep, and no text"},
		{name: "Latin-1", method: "LATIN-1", outcome: Error, trouble: wrong + "it is not UTF-8: bytes that are no text go into body_base64", reason: "JSON is UTF-8"},
		{name: "half a pair", method: `SAY {"type":"result","id":"ID","outcome":"ok","body":"\ud83d"}`, outcome: Error, trouble: wrong + "it has half a surrogate pair", reason: "the body would be another"},
		{name: "other type", method: `SAY {"type":"log","id":"ID","outcome":"ok"}`, outcome: Error, trouble: wrong + `its type is "log": want "hello" or "result"`, reason: "no word of version 1"},
		{name: "no type", method: `SAY {"id":"ID","outcome":"ok"}`, outcome: Error, trouble: wrong + "its type is missing", reason: "not even one"},
		{name: "type of another kind", method: `SAY {"type":{},"id":"ID"}`, outcome: Error, trouble: wrong + "its type is {}", reason: "a word"},
		{name: "no id", method: `SAY {"type":"result","outcome":"ok"}`, outcome: Error, trouble: wrong + "its id is missing: want the id of the call that it answers", reason: "whose answer?"},
		{name: "number for an id", method: `SAY {"type":"result","id":1,"outcome":"ok"}`, outcome: Error, trouble: wrong + "its id is 1", reason: "ids are texts"},
		{name: "unknown id", method: `SAY {"type":"result","id":"c99","outcome":"ok"}`, outcome: Error, trouble: `the process answered "c99", which it was never asked, and was killed`, reason: "an answer to nobody"},
		{name: "unknown id without an outcome", method: `SAY {"type":"result","id":"c99"}`, outcome: Error, trouble: `answered "c99", which it was never asked`, reason: "an answer to nobody"},
		{name: "hello again", method: "SAY " + childHello, outcome: Error, trouble: "the process said hello a second time, and was killed", reason: "once is enough"},
		{name: "long line", method: "LONG", outcome: Error, trouble: tooLong, reason: "what cannot be kept cannot be judged"},
		{name: "endless line", method: "ENDLESS", outcome: Error, trouble: tooLong, reason: "its end need not come"},
		{name: "floods stderr", method: "FLOOD", outcome: Error, trouble: "the process flooded stderr: more than 1048576 bytes, and was killed", reason: "no limit would mean no end"},
		{name: "floods stdout", method: "NOISE", outcome: Error, trouble: wrong + "its type is missing", reason: "one line of it is enough"},

		{name: "dies", method: "EXIT 3", outcome: Error, trouble: died + "\nstdout | " + childHello, reason: "and the calls under way say so"},
		{name: "dies without an error", method: "EXIT 0", outcome: Error, trouble: "the process ended by itself (exit status 0) with 1 call under way", reason: "nothing was answered"},
		{name: "is killed in mid-answer", method: "CRASH", outcome: Error, trouble: "the process ended by itself (signal: killed) with 1 call under way", reason: "a line without an end is none"},
		{name: "closes stdout", method: "CLOSE-STDOUT", outcome: Error, trouble: "the process closed its stdout and stayed, and was killed", reason: "no answer can come"},
		{name: "leaves a child", method: "LEAVE-CHILD", outcome: OK, same: true, left: "left behind and killed: ", reason: "it would go on sending"},
		{name: "leaves a session", method: "LEAVE-SESSION", outcome: OK, same: true, left: "left behind and killed: ", reason: "it holds stdout open"},
		{name: "leaves a daemon", method: "LEAVE-DAEMON", outcome: OK, same: true, left: "left behind and killed: ", reason: "nothing of a play outlives it"},
	}
	carrier, file, err := spoken(t, JSONLOptions{Flood: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client, done, err := carrier.New(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			os.Remove(file)
			before := do(t, client, "OK")
			got := do(t, client, tt.method)
			after := do(t, client, "OK")
			left := done()

			if got.Outcome != tt.outcome || got.GaveUp || got.Killed {
				t.Errorf("got outcome %s, gave up %v, killed %v; want %s, false, false (%s)\n%s", got.Outcome, got.GaveUp, got.Killed, tt.outcome, tt.reason, got.Trouble)
			}
			wantPart(t, "trouble", got.Trouble, tt.trouble)
			wantPart(t, "done", text(left), tt.left)
			if len(got.Trouble) > 8<<10 {
				t.Errorf("got %d bytes of trouble; want something to read", len(got.Trouble))
			}
			if strings.HasPrefix(tt.method, "EXIT") {
				wantPart(t, "trouble", got.Trouble, "\nstderr | Traceback: ValueError: invalid literal for int()")
			}
			if got.Began.IsZero() || got.Ended.Before(got.Began) || got.LastWords == "" {
				t.Errorf("got began %v, ended %v, last words %q; want all three, in order", got.Began, got.Ended, got.LastWords)
			}
			if before.Outcome != OK || after.Outcome != OK || string(before.Body) == string(after.Body) != tt.same {
				t.Errorf("got %s from process %s, then %s from process %s; want ok from both, the same process %v\n%s",
					before.Outcome, before.Body, after.Outcome, after.Body, tt.same, after.Trouble)
			}
			if ps := processesWith(file); len(ps) > 0 {
				t.Errorf("got processes %q after the end; want none", ps)
			}
		})
	}
}

// TestJSONLDeathBetweenCalls has a process that dies when nobody is there to be told. The next call is not to blame, and done tells.
func TestJSONLDeathBetweenCalls(t *testing.T) {
	client, done, _ := talking(t, JSONLOptions{})
	if r := do(t, client, "ANSWER-AND-EXIT"); r.Outcome != OK || r.Trouble != "" {
		t.Errorf("got %+v; want ok", r)
	}
	waitUntil(t, func() bool { return !client.(*jsonlClient).now.takesCalls() })
	if r := do(t, client, "OK"); r.Outcome != OK || r.Trouble != "" {
		t.Errorf("got %+v; want ok", r)
	}
	wantPart(t, "done", text(done()), "the process ended by itself (exit status 0)\nstdout | ")
}

func TestJSONLRefuses(t *testing.T) {
	soon := JSONLOptions{Hello: 200 * time.Millisecond, Farewell: 100 * time.Millisecond, Grace: 100 * time.Millisecond}
	hello := func(more string) string { return `{"type":"hello","name":"child"` + more + "}" }
	tests := []struct {
		name string
		o    JSONLOptions
		args []string
		want string
	}{
		{"silence", soon, []string{""}, `the process said no hello within 200ms: want {"type":"hello",...} as its first line, and was killed` + "\nstdout | (nothing)"},
		{"a log", JSONLOptions{}, []string{"listening on port 8080"}, "wrote a wrong line: no JSON object: invalid character 'l'"},
		{"an early end", JSONLOptions{}, []string{"", "EXIT 3"}, "the process ended by itself (exit status 3) before it had said hello\nstdout | (nothing)\nstderr | Traceback"},
		{"an early result", JSONLOptions{}, []string{`{"type":"result","id":"c1","outcome":"ok"}`}, `answered "c1" before it had said hello`},
		{"a flood", JSONLOptions{Flood: 1 << 20}, []string{"", "FLOOD"}, "flooded stderr"},
		{"closed stdout", JSONLOptions{}, []string{"", "CLOSE-STDOUT"}, "closed its stdout and stayed"},
		{"two hellos", JSONLOptions{}, []string{childHello + "\n" + childHello}, "said hello a second time"},

		{"another protocol", JSONLOptions{}, []string{hello(`,"protocol":2`)}, "hello.protocol: want 1, got 2"},
		{"an unknown word", JSONLOptions{}, []string{hello(`,"feature":[]`)}, "hello.feature: unknown word: want one of type, protocol, name, version, language, features, claims"},
		{"an unknown feature", JSONLOptions{}, []string{hello(`,"features":["retry"]`)}, `hello.features[1]: unknown feature "retry": want one of retries, retry-after,`},
		{"our own feature", JSONLOptions{}, []string{hello(`,"features":["process-per-call"]`)}, `unknown feature "process-per-call"`},
		{"an unknown claim", JSONLOptions{}, []string{hello(`,"claims":{"max_retries":3}`)}, "hello.claims.max_retries: unknown word: want one of max_attempts, base_ms,"},
		{"an unknown part", JSONLOptions{}, []string{hello(`,"features":["budget"],"claims":{"budget":{"rate":1}}`)}, "hello.claims.budget.rate: unknown word: want one of ratio, min_per_second, burst"},
		{"a contradiction", JSONLOptions{}, []string{hello(`,"claims":{"max_attempts":4}`)}, `hello.claims.max_attempts: 4 attempts without the feature "retries"`},
		{"a wrong kind", JSONLOptions{}, []string{hello(`,"version":2.3`)}, "hello.version: want a text, got 2.3"},
		{"a null", JSONLOptions{}, []string{hello(`,"claims":null`)}, "hello.claims: no JSON object: null"},
		{"a name with colours", JSONLOptions{}, []string{`{"type":"hello","name":"\u001b[31mred"}`}, "want a name and a version of at most 200 bytes"},
		{"a long hello", JSONLOptions{}, []string{hello(`,"language":"` + strings.Repeat("x", helloLimit) + `"`)}, "bytes: want at most 65536, and was killed"},

		{"no end after bye", JSONLOptions{Farewell: 100 * time.Millisecond}, []string{childHello, "DEAF"}, "the process did not end within 100ms after bye, and was ended (signal: terminated)"},
		{"no end at all", soon, []string{childHello, "HANG"}, "said no hello within 200ms"},
		{"a daemon", JSONLOptions{}, []string{childHello, "LEAVE-DAEMON"}, "left behind and killed: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _, err := spoken(t, tt.o, tt.args...)
			if err == nil {
				t.Fatalf("got %+v; want it refused", c.Hello())
			}
			wantPart(t, "error", err.Error(), tt.want)
			if len(err.Error()) > 8<<10 {
				t.Errorf("got an error of %d bytes; want something to read", len(err.Error()))
			}
		})
	}
}

func TestJSONLRefusesWhatCannotBeRun(t *testing.T) {
	for name, tt := range map[string]struct {
		argv []string
		want string
	}{
		"nothing":   {nil, "no command: want the client's command and its arguments"},
		"not there": {[]string{"brownout-no-such-client"}, `command "brownout-no-such-client" cannot be run: executable file not found in $PATH`},
		"no format": {[]string{"examples_test.go"}, "cannot be run"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := JSONL(t.Context(), tt.argv, JSONLOptions{})
			wantPart(t, "error", text(err), tt.want)
		})
	}
}

func TestJSONLRefusesWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	file := filepath.Join(t.TempDir(), "ready")
	go func() { await(file); cancel() }()
	_, err := JSONL(ctx, child("jsonl", file, "", "WAIT"), JSONLOptions{Hello: hangGuard})
	wantPart(t, "error", text(err), "had not said hello when the play gave up on it")
	noGoroutineLeft(t)
}

func TestJSONLHello(t *testing.T) {
	c, _, err := spoken(t, JSONLOptions{}, `{"type":"hello","protocol":1,"name":"shop","version":"2.3","language":"python","features":["retries","cancel","retry-after"],"claims":{"max_attempts":4,"multiplier":1.5,"retry_statuses":[503],"counts_conflicts":true}}`)
	if err != nil {
		t.Fatal(err)
	}
	h := c.Hello()
	if h.Name != "shop" || h.Version != "2.3" || h.Driver != "jsonl" || !slices.Equal(h.Features, []Feature{Retries, HonoursRetryAfter, Cancel}) {
		t.Errorf("got %+v; want what it said, features in the contract's order", h)
	}
	if want := (Claims{MaxAttempts: 4, Multiplier: 1.5, RetryStatuses: []int{503}, CountsConflicts: true}); fmt.Sprint(h.Claims) != fmt.Sprint(want) {
		t.Errorf("got claims %+v; want %+v", h.Claims, want)
	}
}

func TestJSONLHelloWithoutAName(t *testing.T) {
	c, _, err := spoken(t, JSONLOptions{}, `{"type":"hello"}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Hello().Name, filepath.Base(os.Args[0]); got != want {
		t.Errorf("got the name %q; want the command's, %q", got, want)
	}
}

// TestJSONLRefusesAnotherClient has a client that says something else each time.
func TestJSONLRefusesAnotherClient(t *testing.T) {
	carrier, _, err := spoken(t, JSONLOptions{}, "", "HELLO-WITH-PID")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = carrier.New(t.Context(), nil)
	wantPart(t, "error", text(err), "the process said another hello than at first: {\"name\":\"child\",\"version\":\"")
}

func TestJSONLAnswersInAnyOrder(t *testing.T) {
	const calls = 40
	client, done, _ := talking(t, JSONLOptions{})
	results := make([]Result, calls)
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() { results[i] = do(t, client, "WAIT") })
	}
	waitUntil(t, func() bool { return client.(*jsonlClient).count.Load() == calls })
	// All of them are written before this one, or behind it; those are asked for again until none is left.
	finished := make(chan struct{})
	go func() { all.Wait(); close(finished) }()
	for over := false; !over; {
		if r := do(t, client, "ALL"); r.Outcome != OK {
			t.Fatalf("got %s; want ok\n%s", r.Outcome, r.Trouble)
		}
		select {
		case <-finished:
			over = true
		default:
		}
	}
	for _, r := range results {
		if r.Outcome != OK || r.Ended.Before(r.Began) {
			t.Errorf("got %s from %v to %v; want ok, in order\n%s", r.Outcome, r.Began, r.Ended, r.Trouble)
		}
	}
	if err := done(); err != nil {
		t.Error(err)
	}
}

func waitUntil(t *testing.T, holds func() bool) {
	t.Helper()
	for range int(hangGuard / glance) {
		if holds() {
			return
		}
		time.Sleep(glance)
	}
	t.Fatal("what was waited for never came")
}
