//go:build unix

package drive

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/brownout-dev/brownout/fakes"
	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// told is what a client must have told, and what the fake must have seen, of one operation.
type told struct {
	outcome  Outcome
	attempts int
	effects  int
}

// exampleCase is one operation for the example clients, which do one attempt (sh) and up to four (py, and the others).
type exampleCase struct {
	name   string
	route  string
	script string
	call   Call
	sh, py told
	wait   time.Duration // the least time between the first two attempts of py
	reason string
}

// soon is the deadline of the operations that are to miss it.
const soon = 2 * time.Second

func exampleCases() []exampleCase {
	const pay, charge, read = "POST /v1/payments", "POST /v1/legacy/charges", "GET /v1/catalogue"
	return []exampleCase{
		{name: "read", route: read, script: "[ok]", sh: told{OK, 1, 0}, py: told{OK, 1, 0}},
		{name: "head", route: "HEAD /v1/catalogue", script: "[ok]", sh: told{OK, 1, 0}, py: told{OK, 1, 0}},
		{name: "absent", route: "GET /v1/absent", script: "[ok]", sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}},
		{name: "keyed write", route: pay, script: "[ok]", sh: told{OK, 1, 1}, py: told{OK, 1, 1}},
		{name: "unkeyed write", route: charge, script: "[ok]", sh: told{OK, 1, 1}, py: told{OK, 1, 1}},
		{name: "put", route: "PUT /v1/customers/c1", script: "[ok]", sh: told{OK, 1, 1}, py: told{OK, 1, 1}},
		{name: "delete", route: "DELETE /v1/customers/c2", script: "[503, ok]", sh: told{Failed, 1, 0}, py: told{OK, 2, 1}},
		{name: "key given", route: pay, script: "[reset after-commit, ok]", call: Call{Key: "k-given", KeyGiven: true}, sh: told{Unknown, 1, 1}, py: told{OK, 2, 1}},
		{name: "10 MiB", route: "POST /v1/notes", script: "[reset after-commit, ok]", call: Call{Body: bytes.Repeat([]byte("x"), 10<<20)}, sh: told{Unknown, 1, 1}, py: told{OK, 2, 1}},

		{name: "busy", route: pay, script: "[503, 429, 503, ok]", sh: told{Failed, 1, 0}, py: told{OK, 4, 1}},
		{name: "busy for long", route: read, script: "{steps: [503], repeat: true}", sh: told{Failed, 1, 0}, py: told{Failed, 4, 0}},
		{name: "busy without a key", route: charge, script: "[503, ok]", sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}, reason: "no key, no second attempt"},
		{name: "gateway error", route: pay, script: "[502 after-commit, ok]", sh: told{Unknown, 1, 1}, py: told{OK, 2, 1}},
		{name: "gateway error without a key", route: charge, script: "[502 after-commit, ok]", sh: told{Unknown, 1, 1}, py: told{Unknown, 1, 1}},
		{name: "server error", route: pay, script: "[500 after-commit, ok]", sh: told{Unknown, 1, 1}, py: told{Unknown, 1, 1}},
		{name: "refusal", route: pay, script: "[422]", sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}},
		{name: "not implemented", route: read, script: "[501]", sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}},

		{name: "lost reply", route: pay, script: "[close after-commit, ok]", sh: told{Unknown, 1, 1}, py: told{OK, 2, 1}},
		{name: "lost reply without a key", route: charge, script: "[reset after-commit, ok]", sh: told{Unknown, 1, 1}, py: told{Unknown, 1, 1}},
		{name: "lost reply to a read", route: read, script: "[reset after-commit, ok]", sh: told{Failed, 1, 0}, py: told{OK, 2, 0}},
		{name: "lost, then busy", route: pay, script: "[reset after-commit, 503, 503, 503]", sh: told{Unknown, 1, 1}, py: told{Unknown, 4, 1}, reason: "503 says nothing about the first attempt"},
		{name: "truncated", route: read, script: "[truncate, ok]", sh: told{Failed, 1, 0}, py: told{OK, 2, 0}},
		{name: "truncated chunks", route: charge, script: "[truncate chunked=true]", sh: told{Unknown, 1, 1}, py: told{Unknown, 1, 1}},
		{name: "garbage", route: charge, script: "[garbage]", sh: told{Unknown, 1, 1}, py: told{Unknown, 1, 1}},

		{name: "seconds", route: read, script: "[503 retry-after=1, ok]", sh: told{Failed, 1, 0}, py: told{OK, 2, 0}, wait: time.Second},
		{name: "date", route: read, script: "[429 retry-after=date+2s, ok]", sh: told{Failed, 1, 0}, py: told{OK, 2, 0}, wait: time.Second, reason: "a date has whole seconds"},
		{name: "old date", route: read, script: "[503 retry-after=rfc850+2s, ok]", sh: told{Failed, 1, 0}, py: told{OK, 2, 0}, wait: time.Second},
		{name: "oldest date", route: read, script: "[503 retry-after=asctime+2s, ok]", sh: told{Failed, 1, 0}, py: told{OK, 2, 0}, wait: time.Second},
		{name: "past date", route: read, script: "[503 retry-after=date-1h, ok]", sh: told{Failed, 1, 0}, py: told{OK, 2, 0}},
		{name: "nonsense", route: read, script: `[503 retry-after=soon, 503 retry-after="-5", 503 retry-after=1.5, ok]`, sh: told{Failed, 1, 0}, py: told{OK, 4, 0}},
		{name: "a day", route: read, script: "[503 retry-after=86400, ok]", sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}},
		{name: "for ever", route: read, script: "[503 retry-after=18446744073709551616, ok]", sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}},

		{name: "held write", route: charge, script: "[hold]", call: Call{Deadline: soon}, sh: told{Unknown, 1, 0}, py: told{Unknown, 1, 0}},
		{name: "held read", route: read, script: "[hold]", call: Call{Deadline: soon}, sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}},
		{name: "drip", route: read, script: "[drip 100ms]", call: Call{Deadline: soon}, sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}},
		{name: "dripping head", route: read, script: "[drip 100ms reply-head]", call: Call{Deadline: soon}, sh: told{Failed, 1, 0}, py: told{Failed, 1, 0}},
	}
}

// onlyIfThere skips a test of an example whose language is not on this machine.
func onlyIfThere(t *testing.T, commands ...string) {
	t.Helper()
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			t.Skipf("no %s on this machine", c)
		}
	}
}

func examples() []string {
	return []string{"shop.sh", "shop.py", "shop_jsonl.py", "shop_jsonl.mjs", "tiny.py", "tiny.mjs"}
}

// jsonlExamples are the commands of the examples that speak jsonl.
func jsonlExamples() map[string][]string {
	return map[string][]string{
		"shop_jsonl.py":  {"examples/shop_jsonl.py"},
		"shop_jsonl.mjs": {"examples/shop_jsonl.mjs"},
		"tiny.py":        {"python3", "examples/tiny.py"},
		"tiny.mjs":       {"node", "examples/tiny.mjs"},
	}
}

// example makes a carrier of an example as its users would.
func example(t *testing.T, name string) Carrier {
	t.Helper()
	if argv := jsonlExamples()[name]; argv != nil {
		carrier, err := JSONL(t.Context(), argv, JSONLOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return carrier
	}
	hello, err := LoadClaims("examples/" + name + ".claims.yaml")
	if err != nil {
		t.Fatal(err)
	}
	carrier, err := Exec(hello, []string{"examples/" + name}, ExecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return carrier
}

func TestExampleShell(t *testing.T) {
	onlyIfThere(t, "sh", "curl", "base64", "sha256sum")
	testExample(t, "shop.sh", func(c exampleCase) (told, time.Duration) { return c.sh, 0 })
}

func TestExamplePython(t *testing.T) {
	onlyIfThere(t, "python3")
	t.Setenv("SHOP_ATTEMPT_S", "60") // a loaded machine must not look like a slow dependency
	testExample(t, "shop.py", func(c exampleCase) (told, time.Duration) { return c.py, c.wait })
}

func TestExampleJSONL(t *testing.T) {
	for name, language := range map[string]string{"shop_jsonl.py": "python3", "shop_jsonl.mjs": "node"} {
		t.Run(name, func(t *testing.T) {
			onlyIfThere(t, language)
			t.Setenv("SHOP_ATTEMPT_S", "60")
			testExample(t, name, func(c exampleCase) (told, time.Duration) { return c.py, c.wait })
		})
	}
}

// TestTinyExamplesAreTiny holds the README to its word: forty lines, none of which is long enough to hide another one.
func TestTinyExamplesAreTiny(t *testing.T) {
	const mostLines, widest = 40, 130
	for _, name := range []string{"tiny.py", "tiny.mjs"} {
		text, err := os.ReadFile("examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		if len(lines) > mostLines {
			t.Errorf("%s: got %d lines; want at most %d", name, len(lines), mostLines)
		}
		for i, l := range lines {
			if len(l) >= widest {
				t.Errorf("%s:%d: got %d bytes; want fewer than %d", name, i+1, len(l), widest)
			}
		}
	}
}

func testExample(t *testing.T, name string, wants func(exampleCase) (told, time.Duration)) {
	carrier := example(t, name)
	if _, err := Probe(t.Context(), carrier, wire.TCP{}, anyPort); err != nil {
		t.Fatal(err)
	}
	cases, plan := exampleCases(), faults.Plan{Operations: map[faults.OperationID]faults.Script{}}
	for i, c := range cases {
		var script faults.Script
		if err := yaml.Unmarshal([]byte(c.script), &script); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		plan.Operations[operation(i)] = script
	}
	fake, err := fakes.Start(wire.TCP{}, "127.0.0.1:0", fakes.Config{Clock: clock.Start(), Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	client, done, _ := carrier.New(t.Context(), nil)
	results := make([]Result, len(cases))
	var all sync.WaitGroup
	for i, c := range cases {
		all.Go(func() { results[i] = client.Do(t.Context(), c.fill(fake.URL(), operation(i))) })
	}
	all.Wait()
	if err := done(); err != nil {
		t.Error(err)
	}
	record := fake.Record()
	if err := fake.Close(); err != nil {
		t.Error(err)
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want, wait := wants(c)
			c.check(t, results[i], record, operation(i), want, wait)
		})
	}
}

func operation(i int) faults.OperationID { return faults.OperationID(fmt.Sprintf("op-example%02d", i)) }

func (c exampleCase) fill(url string, op faults.OperationID) Call {
	call := c.call
	method, path, _ := strings.Cut(c.route, " ")
	call.Operation, call.Method, call.URL = op, method, url+path+"?operation="+string(op)
	call.Headers = map[string]string{"Authorization": "Bearer t1"}
	if call.Deadline == 0 {
		call.Deadline = hangGuard / 2
	}
	if !strings.Contains(path, "legacy") {
		call.KeyHeader = fakes.KeyHeader
	}
	if call.Body == nil && (method == "POST" || method == "PUT") {
		call.Body, call.Type = []byte(`{"amount":1200,"currency":"EUR","reference":"r1"}`), "application/json"
	}
	return call
}

func (c exampleCase) check(t *testing.T, got Result, record journal.Record, op faults.OperationID, want told, wait time.Duration) {
	var attempts []journal.Attempt
	for _, a := range record.Attempts {
		if a.Operation == op {
			attempts = append(attempts, a)
		}
	}
	effects := 0
	for _, e := range record.Effects {
		if e.Operation == op {
			effects++
		}
	}
	seen := told{got.Outcome, len(attempts), effects}
	if seen != want || got.Trouble != "" || got.GaveUp {
		t.Fatalf("got %+v, status %d, error %q; want %+v (%s)\n%s\n%s", seen, got.Status, got.Err, want, c.reason, got.Trouble, got.LastWords)
	}
	call := c.fill("", op)
	for _, a := range attempts {
		if a.Header.Get("Authorization") != "Bearer t1" || a.Header.Get("Content-Type") != call.Type || a.BodyBytes != int64(len(call.Body)) || a.BodySHA256 != attempts[0].BodySHA256 {
			t.Errorf("got %v with %d bytes; want the call's headers, type %q and %d bytes, the same each time", a.Header, a.BodyBytes, call.Type, len(call.Body))
		}
		if a.Key != attempts[0].Key || (a.Key != "") != (call.Method == "POST" && call.KeyHeader != "") || call.KeyGiven && a.Key != call.Key {
			t.Errorf("got key %q after %q; want one for a POST where keys are known, the given one if there is one, the same each time", a.Key, attempts[0].Key)
		}
	}
	if wait > 0 {
		if waited := attempts[1].FirstByte.Sub(attempts[0].Answered()); waited < wait {
			t.Errorf("got a wait of %v; want at least %v", waited, wait)
		}
	}
	if got.Outcome == OK && call.Method != "HEAD" && !strings.Contains(string(got.Body), string(op)) {
		t.Errorf("got body %q; want the reply, which tells the operation", got.Body)
	}
	if call.Deadline == soon && got.Ended.Sub(got.Began) < soon {
		t.Errorf("got an answer after %v; want it no sooner than the deadline %v", got.Ended.Sub(got.Began), soon)
	}
}

func TestExamplesSayWhenNobodyListens(t *testing.T) {
	onlyIfThere(t, "sh", "curl", "base64", "python3", "node")
	port, err := wire.TCP{}.Open("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	if err := port.Refuse(); err != nil {
		t.Skip(err)
	}
	for _, name := range examples() {
		client, done, _ := example(t, name).New(t.Context(), nil)
		got := client.Do(t.Context(), exampleCase{route: "POST /v1/legacy/charges"}.fill("http://"+port.Addr().String(), "op-0123456789"))
		if got.Outcome != Failed || got.Trouble != "" {
			t.Errorf("%s: got %s %s; want failed, since nothing was sent", name, got.Outcome, got.Trouble)
		}
		if err := done(); err != nil {
			t.Error(err)
		}
	}
}

func TestExamplesAnswerWhenTheyAreCancelled(t *testing.T) {
	onlyIfThere(t, "sh", "curl", "base64", "python3", "node")
	for _, name := range examples() {
		for route, want := range map[string]Outcome{"POST /v1/payments": Unknown, "GET /v1/catalogue": Failed} {
			t.Run(name+" "+route, func(t *testing.T) {
				op := operation(1)
				held := faults.Script{Steps: [][]faults.Fault{{{At: faults.AfterCommit, Action: &faults.Hold{}}}}}
				fake, err := fakes.Start(wire.TCP{}, "127.0.0.1:0", fakes.Config{
					Clock: clock.Start(), Plan: faults.Plan{Operations: map[faults.OperationID]faults.Script{op: held}},
				})
				if err != nil {
					t.Fatal(err)
				}
				client, done, _ := example(t, name).New(t.Context(), nil)
				ctx, cancel := context.WithCancel(t.Context())
				go func() {
					for len(fake.Record().Attempts) == 0 && ctx.Err() == nil {
						time.Sleep(glance)
					}
					cancel()
				}()
				got := client.Do(ctx, exampleCase{route: route}.fill(fake.URL(), op))
				cancel()
				if got.Outcome != want || !got.GaveUp || got.Killed || got.Trouble != "" {
					t.Errorf("got %+v; want %s, in its own words", got, want)
				}
				if err := done(); err != nil {
					t.Error(err)
				}
				if err := fake.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
