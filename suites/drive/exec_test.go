//go:build unix

package drive

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestExec(t *testing.T) {
	short := ExecOptions{Grace: 50 * time.Millisecond, Flood: 1 << 20}
	patient := ExecOptions{Grace: hangGuard}
	big := []byte(strings.Repeat("0123456789abcdef", 10<<20/16))
	tests := []struct {
		name   string
		mode   string
		args   []string
		o      ExecOptions
		body   []byte
		giveUp bool // once the child has taken its stand

		outcome Outcome
		status  int
		killed  bool
		trouble string // a part of it; "" = none
		err     string // a part of the client's own words
		left    string // a part of what done complains about
		reason  string
	}{
		{name: "exit 0", mode: "exit", args: []string{"0"}, outcome: OK, reason: "without an answer the exit status counts"},
		{name: "exit 22", mode: "exit", args: []string{"22"}, outcome: Error, err: "exit status 22: curl: (22)", reason: "which failure it was, an exit status cannot say"},
		{name: "killed", mode: "kill-itself", args: []string{"9"}, outcome: Error, trouble: "by a signal that was not ours (signal: killed)", reason: "a client that somebody killed did not decide anything"},
		{name: "alarm", mode: "kill-itself", args: []string{"14"}, outcome: Error, err: "signal: alarm clock", reason: "an alarm is how small programs keep their deadline"},
		{name: "crash", mode: "crash", outcome: Error, trouble: "looks like an answer", reason: "half an answer is none"},
		{name: "answer", mode: "say", args: []string{okLine}, outcome: OK, status: 201, reason: "the last line needs no line break"},
		{name: "answer and exit status", mode: "say-and-fail", args: []string{failedLine}, outcome: Failed, status: 404, reason: "JSON beats the exit status"},
		{name: "two answers", mode: "say", args: []string{okLine + "\n" + failedLine + "\n"}, outcome: Failed, status: 404, reason: "the last one counts"},
		{name: "garbage", mode: "say", args: []string{"<html>\n", "{not json}\n", "[1]\n"}, outcome: OK, reason: "plain programs print what they like"},
		{name: "binary", mode: "binary", outcome: OK, reason: "no byte disturbs us"},
		{name: "half an answer", mode: "say", args: []string{`{"outcome":"ok","sta`}, outcome: Error, trouble: "looks like an answer is not JSON", reason: "exit 0 must not turn it into ok"},
		{name: "unknown outcome", mode: "say", args: []string{`{"outcome":"success"}`}, outcome: Error, trouble: `unknown outcome "success": want one of ok, failed, unknown, error`, reason: "no guessing"},
		{name: "10 MiB line", mode: "long-line", outcome: OK, status: 201, reason: "a line that is no answer may be long"},
		{name: "10 MiB answer", mode: "long-answer", outcome: Error, trouble: "say body_sha256 and body_bytes instead", reason: "what cannot be kept cannot be judged"},

		{name: "hangs", mode: "hang", giveUp: true, o: patient, outcome: Error, killed: true, trouble: "did not come back", reason: "SIGTERM is enough"},
		{name: "ignores SIGTERM", mode: "ignore-term", giveUp: true, o: short, outcome: Error, killed: true, trouble: "stdout | I shall not be moved", reason: "SIGKILL is not ignored"},
		{name: "answers SIGTERM", mode: "say-on-term", giveUp: true, o: patient, outcome: Unknown, err: "told to stop", reason: "a cancelled call that was answered"},
		{name: "leaves on SIGTERM", mode: "quit-on-term", giveUp: true, o: patient, outcome: Error, killed: true, trouble: "did not come back", reason: "exit 0 because of our signal is not ok"},
		{name: "hangs after its answer", mode: "hang-after-answer", giveUp: true, o: patient, outcome: OK, status: 201, reason: "it has said what its caller was told"},
		{name: "reads nothing and hangs", mode: "read-nothing-and-hang", body: big, giveUp: true, o: patient, outcome: Error, killed: true, trouble: "did not come back", reason: "our writing must not hang either"},

		{name: "floods stdout", mode: "flood", args: []string{"stdout"}, o: short, outcome: Error, trouble: "flooded stdout: more than 1048576 bytes", reason: "no limit would mean no end"},
		{name: "floods stderr", mode: "flood", args: []string{"stderr"}, o: short, outcome: Error, trouble: "flooded stderr", reason: "stderr as well"},

		{name: "leaves a child", mode: "leave-child", outcome: OK, status: 201, trouble: "left behind and killed: ", reason: "it would go on sending"},
		{name: "leaves a session", mode: "leave-session", outcome: OK, status: 201, trouble: "left behind and killed: ", reason: "it holds stdout open for ever"},
		{name: "leaves a daemon", mode: "leave-daemon", outcome: OK, status: 201, left: "left behind and killed: ", reason: "nothing of a play outlives it"},

		{name: "closes stdin", mode: "close-stdin", body: big, outcome: OK, status: 201, reason: "EPIPE is the client's right"},
		{name: "reads nothing", mode: "read-nothing", body: big, outcome: OK, status: 201, reason: "and so is leaving a body where it is"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "ready")
			carrier, err := Exec(Hello{}, child(tt.mode, file, tt.args...), tt.o)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), hangGuard)
			defer cancel()
			client, done, err := carrier.New(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.giveUp {
				go func() { await(file); cancel() }()
			}
			got := client.Do(ctx, Call{Operation: "op-0123456789", Method: "POST", URL: "http://127.0.0.1:1/", Body: tt.body})
			left := done()

			if got.Outcome != tt.outcome || got.Status != tt.status || got.Killed != tt.killed || got.GaveUp != tt.giveUp {
				t.Errorf("got outcome %s, status %d, killed %v, gave up %v; want %s, %d, %v, %v (%s)\n%s",
					got.Outcome, got.Status, got.Killed, got.GaveUp, tt.outcome, tt.status, tt.killed, tt.giveUp, tt.reason, got.Trouble)
			}
			wantPart(t, "trouble", got.Trouble, tt.trouble)
			wantPart(t, "error", got.Err, tt.err)
			wantPart(t, "done", text(left), tt.left)
			if got.Began.IsZero() || got.Ended.Before(got.Began) {
				t.Errorf("got began %v, ended %v; want both, in this order", got.Began, got.Ended)
			}
			if got.Ended.Sub(got.Began) >= hangGuard {
				t.Errorf("got an end after %v; want it before the child leaves by itself", got.Ended.Sub(got.Began))
			}
			if got.LastWords == "" {
				t.Error("got no last words; want some, if only that there are none")
			}
			if ps := processesWith(file); len(ps) > 0 {
				t.Errorf("got processes %q after the end; want none", ps)
			}
			noGoroutineLeft(t)
		})
	}
}

func TestExecRefusesWhatCannotBeRun(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "notes.txt")
	os.WriteFile(plain, []byte("no program"), 0o600)
	tests := []struct {
		name string
		argv []string
		want string
	}{
		{"nothing", nil, "no command"},
		{"not there", []string{"brownout-no-such-client"}, `command "brownout-no-such-client" cannot be run: executable file not found in $PATH`},
		{"not there, by path", []string{"./no-such-client"}, `command "./no-such-client" cannot be run`},
		{"a directory", []string{"/"}, `command "/" cannot be run`},
		{"not executable", []string{plain}, "permission denied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Exec(Hello{}, tt.argv, ExecOptions{})
			if err == nil {
				t.Fatal("got no error")
			}
			wantPart(t, "error", err.Error(), tt.want)
		})
	}
}

func TestExecSaysWhenItsCommandHasGone(t *testing.T) {
	script := filepath.Join(t.TempDir(), "client")
	os.WriteFile(script, []byte("#!/bin/sh\n"), 0o700)
	carrier, err := Exec(Hello{}, []string{script}, ExecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(script)
	client, done, _ := carrier.New(t.Context(), nil)
	got := client.Do(t.Context(), Call{Operation: "op-0123456789"})
	wantPart(t, "trouble", got.Trouble, "could not be started")
	if err := done(); err != nil {
		t.Error(err)
	}
	noGoroutineLeft(t)
}

func TestExecHelloNamesTheClient(t *testing.T) {
	carrier, err := Exec(Hello{Features: []Feature{Retries}}, []string{os.Args[0]}, ExecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h := carrier.Hello()
	if h.Name != filepath.Base(os.Args[0]) || h.Driver != "exec" || !h.Has(ProcessPerCall) || !h.Has(Retries) {
		t.Errorf("got %+v; want the command's name, driver exec, and process-per-call beside what was declared", h)
	}
}

func TestExecBoundsProcessesAtOnce(t *testing.T) {
	const atOnce, calls = 2, 12
	file := filepath.Join(t.TempDir(), "ready")
	carrier, err := Exec(Hello{}, child("census", file), ExecOptions{AtOnce: atOnce})
	if err != nil {
		t.Fatal(err)
	}
	one, doneOne, _ := carrier.New(t.Context(), nil)
	other, doneOther, _ := carrier.New(t.Context(), nil)
	results := make([]Result, calls)
	var all sync.WaitGroup
	for i := range calls {
		client := []Client{one, other}[i%2] // plays share the carrier's places
		all.Go(func() { results[i] = client.Do(t.Context(), Call{Operation: "op-0123456789"}) })
	}
	all.Wait()
	for _, r := range results {
		if r.Outcome != OK || r.BodyBytes < 1 || r.BodyBytes > atOnce {
			t.Errorf("got %s with %d processes at work; want ok with 1 to %d\n%s", r.Outcome, r.BodyBytes, atOnce, r.Trouble)
		}
	}
	if err := doneOne(); err != nil {
		t.Error(err)
	}
	if err := doneOther(); err != nil {
		t.Error(err)
	}
	noGoroutineLeft(t)
}

// TestExecWaitingForAPlaceIsNotTheCall has two calls and one place: the second one's patience must only begin with its process.
func TestExecWaitingForAPlaceIsNotTheCall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ready")
	carrier, err := Exec(Hello{}, child("say-on-term", file), ExecOptions{AtOnce: 1, Grace: hangGuard})
	if err != nil {
		t.Fatal(err)
	}
	client, done, _ := carrier.New(t.Context(), nil)
	firstCtx, endFirst := context.WithCancel(t.Context())
	first := make(chan Result, 1)
	go func() { first <- client.Do(firstCtx, Call{Operation: "op-1111111111"}) }()
	await(file)

	waiting, giveUp := context.WithCancel(t.Context())
	giveUp()
	if r := client.Do(waiting, Call{Operation: "op-2222222222"}); !r.GaveUp || r.Began.IsZero() || !strings.Contains(r.Trouble, "no process was started") {
		t.Errorf("got %+v; want the call given up before a process was started", r)
	}
	second := make(chan Result, 1)
	go func() { second <- client.Do(t.Context(), Call{Operation: "op-3333333333", Patience: time.Millisecond}) }()
	endFirst()
	a, b := <-first, <-second
	if b.Began.Before(a.Ended) || !b.GaveUp {
		t.Errorf("got the second call begun at %v, given up %v; want it begun after %v and given up", b.Began, b.GaveUp, a.Ended)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
	noGoroutineLeft(t)
}

func TestExecDoneEndsCallsUnderWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ready")
	carrier, err := Exec(Hello{}, child("hang", file), ExecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	client, done, _ := carrier.New(t.Context(), nil)
	result := make(chan Result, 1)
	go func() { result <- client.Do(context.Background(), Call{Operation: "op-0123456789"}) }()
	await(file)
	if err := done(); err != nil {
		t.Error(err)
	}
	if r := <-result; !r.Killed {
		t.Errorf("got %+v; want it killed", r)
	}
	if r := client.Do(t.Context(), Call{}); r.Trouble != "called after its play had ended" {
		t.Errorf("got trouble %q; want it refused", r.Trouble)
	}
	if ps := processesWith(file); len(ps) > 0 {
		t.Errorf("got processes %q; want none", ps)
	}
}
