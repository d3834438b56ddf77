//go:build unix

package drive

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"
)

const noCancel = `{"type":"hello","name":"child"}`

// giveUpOn has a child obey, and gives up once the child has taken its stand.
func giveUpOn(t *testing.T, c Client, method, file string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangGuard)
	defer cancel()
	go func() { await(file); cancel() }()
	r := c.Do(ctx, Call{Operation: "op-given-up", Method: method})
	os.Remove(file)
	return r
}

func TestJSONLGivesUp(t *testing.T) {
	tests := []struct {
		name    string
		hello   string
		method  string
		outcome Outcome
		err     string
		trouble string
		reason  string
	}{
		{"answers its cancel", childHello, "WAIT", Unknown, "cancelled", "", "a cancelled call that was answered"},
		{"does not answer it", childHello, "DEAF", Error, "", "did not come back before the play gave up; it was told to cancel, and did not answer within 50ms\nstdout | {", "it said that it would"},
		{"knows no cancel", noCancel, "WAIT", Error, "", `did not come back before the play gave up; it does not declare the feature "cancel", so the call is left to it`, "then nothing is sent"},
		{"is stuck", childHello, "HANG", Error, "", "did not come back before the play gave up; it was told to cancel", "not even reading"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := JSONLOptions{Grace: 50 * time.Millisecond, Farewell: 50 * time.Millisecond}
			if tt.trouble == "" {
				o = JSONLOptions{Grace: hangGuard}
			}
			// Its hello is the only one that has to come in time.
			client, done, file := talking(t, o, tt.hello)
			got := giveUpOn(t, client, tt.method, file)
			if got.Outcome != tt.outcome || !got.GaveUp || got.Killed || got.Ended.Before(got.Began) || got.Began.IsZero() {
				t.Errorf("got %+v; want %s, given up, not killed, with its times (%s)", got, tt.outcome, tt.reason)
			}
			wantPart(t, "error", got.Err, tt.err)
			wantPart(t, "trouble", got.Trouble, tt.trouble)
			done()
		})
	}
}

// TestJSONLPatience has a call's own patience, and no context, end the call.
func TestJSONLPatience(t *testing.T) {
	client, done, _ := talking(t, JSONLOptions{Grace: hangGuard})
	const patience = 20 * time.Millisecond
	r := client.Do(t.Context(), Call{Method: "WAIT", Patience: patience})
	if r.Outcome != Unknown || !r.GaveUp || r.Ended.Sub(r.Began) < patience {
		t.Errorf("got %+v; want it cancelled after %v", r, patience)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
}

// TestJSONLLateAnswer has a child answer a call that the play has given up on, and then answer it again.
func TestJSONLLateAnswer(t *testing.T) {
	client, done, file := talking(t, JSONLOptions{}, noCancel)
	giveUpOn(t, client, "WAIT", file)
	first := do(t, client, "ALL") // c1 as well
	second := do(t, client, "OK")
	if first.Outcome != OK || second.Outcome != OK || string(first.Body) != string(second.Body) {
		t.Errorf("got %+v, then %+v; want ok from one process: a late answer is welcome", first, second)
	}
	again := do(t, client, `SAY {"type":"result","id":"c1","outcome":"ok"}`)
	wantPart(t, "trouble", again.Trouble, `the process answered "c1" a second time, and was killed`)
	if err := done(); err != nil {
		t.Error(err)
	}
}

func TestJSONLAnswersTwice(t *testing.T) {
	client, done, _ := talking(t, JSONLOptions{})
	if r := do(t, client, "AGAIN"); r.Outcome != OK {
		t.Errorf("got %+v; want the first answer", r)
	}
	waitUntil(t, func() bool { return !client.(*jsonlClient).now.takesCalls() })
	wantPart(t, "done", text(done()), `the process answered "c1" a second time, and was killed`)
}

// TestJSONLAnswersBeforeItIsAsked has a child answer a call that is too large to be written before it is read. That call is not to blame.
func TestJSONLAnswersBeforeItIsAsked(t *testing.T) {
	client, done, file := talking(t, JSONLOptions{})
	first, second := make(chan Result, 1), make(chan Result, 1)
	go func() { first <- do(t, client, `FORESEE {"type":"result","id":"c2","outcome":"ok"}`) }()
	await(file)
	go func() { second <- client.Do(t.Context(), Call{Method: "OK", Body: bytes.Repeat([]byte("x"), 1<<20)}) }()
	s := client.(*jsonlClient).now
	waitUntil(t, func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.asked["c2"] != nil })
	os.WriteFile(file+".go", nil, 0o600)
	wantPart(t, "trouble", (<-first).Trouble, `the process answered "c2" before it had been asked, and was killed with 1 call under way: op-0123456789`)
	if r := <-second; r.Outcome != OK || r.Trouble != "" {
		t.Errorf("got %+v; want ok from a fresh process", r)
	}
	if err := done(); err != nil {
		t.Error(err)
	}
}

// TestJSONLUnreadCalls has a child that stops reading: a call that does not fit into the pipe is not the client's lateness.
func TestJSONLUnreadCalls(t *testing.T) {
	large := bytes.Repeat([]byte("x"), 1<<20)
	t.Run("until the bound", func(t *testing.T) {
		client, done, file := talking(t, JSONLOptions{Unread: time.Second})
		first := make(chan Result, 1)
		go func() { first <- do(t, client, "HANG") }()
		await(file)
		second := client.Do(t.Context(), Call{Operation: "op-unread", Method: "OK", Body: large})
		const want = "the process left a call unread for 1s: want it to read on while calls are under way, and was killed with 1 call under way: op-0123456789\nstdout | "
		for _, r := range []Result{<-first, second} {
			if r.Outcome != Error || r.GaveUp {
				t.Errorf("got %+v; want error", r)
			}
			wantPart(t, "trouble", r.Trouble, want)
		}
		if err := done(); err != nil {
			t.Error(err)
		}
	})
	t.Run("until the play gives up", func(t *testing.T) {
		client, done, file := talking(t, JSONLOptions{Farewell: 50 * time.Millisecond})
		first := make(chan Result, 1)
		go func() { first <- do(t, client, "HANG") }()
		await(file)
		ctx, cancel := context.WithCancel(t.Context())
		second, third := make(chan Result, 1), make(chan Result, 1)
		go func() { second <- client.Do(ctx, Call{Method: "OK", Body: large}) }()
		go func() { third <- client.Do(ctx, Call{Method: "OK"}) }()
		waitUntil(t, func() bool { return client.(*jsonlClient).count.Load() == 3 })
		cancel()
		for _, r := range []Result{<-second, <-third} {
			if !r.GaveUp || r.Outcome != Error || r.Began.IsZero() {
				t.Errorf("got %+v; want the play to have given up", r)
			}
		}
		wantPart(t, "done", text(done()), "")
		if r := <-first; !r.Killed || !r.GaveUp {
			t.Errorf("got %+v; want it killed", r)
		}
	})
}

func TestJSONLDoneCancelsCallsUnderWay(t *testing.T) {
	client, done, file := talking(t, JSONLOptions{}, noCancel)
	const calls = 3
	var all sync.WaitGroup
	results := make([]Result, calls)
	for i := range calls {
		all.Go(func() { results[i] = do(t, client, "WAIT") })
	}
	waitUntil(t, func() bool { return begun(client) == calls })
	await(file)
	if err := done(); err != nil {
		t.Error(err)
	}
	all.Wait()
	for _, r := range results {
		if r.Outcome != Unknown || r.Err != "bye" || !r.GaveUp || r.Killed || r.Trouble != "" {
			t.Errorf("got %+v; want what it answered to bye", r)
		}
	}
	if r := client.Do(t.Context(), Call{}); r.Trouble != "called after its play had ended" {
		t.Errorf("got trouble %q; want it refused", r.Trouble)
	}
}

// begun counts the calls that have been written.
func begun(c Client) (n int) {
	s := c.(*jsonlClient).now
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if !a.began.IsZero() {
			n++
		}
	}
	return n
}

// TestJSONLDoneEndsWhatStays has a child that hears neither bye nor SIGTERM.
func TestJSONLDoneEndsWhatStays(t *testing.T) {
	client, done, _ := talking(t, JSONLOptions{Farewell: 50 * time.Millisecond, Grace: 50 * time.Millisecond})
	if r := do(t, client, "STAY"); r.Outcome != OK {
		t.Errorf("got %+v; want ok", r)
	}
	wantPart(t, "done", text(done()), "the process did not end within 50ms after bye, and was ended (signal: killed)\nstdout | ")
}

func TestJSONLRestartsAFewTimes(t *testing.T) {
	client, done, _ := talking(t, JSONLOptions{})
	for range 1 + maxRestarts {
		wantPart(t, "trouble", do(t, client, "EXIT 3").Trouble, "the process ended by itself (exit status 3) with 1 call under way: op-0123456789\n")
	}
	r := do(t, client, "OK")
	const want = "not asked: 6 processes of the client have come to their end in this play, and no more are started; of the last one: the process ended by itself (exit status 3) with 1 call under way: op-0123456789\nstdout | "
	if r.Outcome != Error || r.GaveUp {
		t.Errorf("got %+v; want it refused", r)
	}
	wantPart(t, "trouble", r.Trouble, want)
	if err := done(); err != nil {
		t.Error(err)
	}
}

// TestJSONLDeathIsOfAllCallsUnderWay has one call of several kill the process: each of them tells of all.
func TestJSONLDeathIsOfAllCallsUnderWay(t *testing.T) {
	const calls = 7
	client, done, file := talking(t, JSONLOptions{}, noCancel)
	giveUpOn(t, client, "WAIT", file)
	var all sync.WaitGroup
	results := make([]Result, calls)
	for i := range calls - 1 {
		all.Go(func() { results[i] = do(t, client, "WAIT") })
	}
	waitUntil(t, func() bool { return begun(client) == calls })
	results[calls-1] = do(t, client, "EXIT 3")
	all.Wait()
	for _, r := range results {
		wantPart(t, "trouble", r.Trouble, "with 7 calls under way: op-0123456789, op-0123456789, op-0123456789, op-0123456789, op-0123456789, and 2 more (beside 1 call that the play had given up on)\n")
	}
	if err := done(); err != nil {
		t.Error(err)
	}
}

// TestJSONLAsksAnotherProcess has a child that closes its stdin: what it cannot have read is asked of the next one.
func TestJSONLAsksAnotherProcess(t *testing.T) {
	client, done, _ := talking(t, JSONLOptions{})
	if r := do(t, client, "CLOSE-STDIN"); r.Outcome != OK {
		t.Errorf("got %+v; want ok", r)
	}
	if r := do(t, client, "OK"); r.Outcome != OK || r.Trouble != "" {
		t.Errorf("got %+v; want ok from a fresh process", r)
	}
	wantPart(t, "done", text(done()), "the process closed its stdin and stayed, and was killed")
}

func TestJSONLLargeCalls(t *testing.T) {
	client, done, _ := talking(t, JSONLOptions{Unread: hangGuard})
	const size = 4 << 20
	var all sync.WaitGroup
	for _, b := range []string{"x", "\xff"} {
		all.Go(func() {
			call := Call{Method: "LENGTH", Body: bytes.Repeat([]byte(b), size)}
			line, _ := callLine("c1", call, false)
			if r := client.Do(t.Context(), call); r.Outcome != OK || r.Err != fmt.Sprint(len(line)) {
				t.Errorf("got %s, %s bytes; want ok, %d bytes", r.Outcome, r.Err, len(line))
			}
		})
	}
	all.Wait()
	if err := done(); err != nil {
		t.Error(err)
	}
}
