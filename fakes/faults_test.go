package fakes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
)

// saw is what the client was given, in words.
func (a answer) saw() string {
	switch {
	case a.err == nil && a.header.Get(ReplayedHeader) != "":
		return fmt.Sprint(a.status, " replayed")
	case a.err == nil:
		return fmt.Sprint(a.status)
	case errors.Is(a.err, context.DeadlineExceeded):
		return fmt.Sprint(strings.TrimPrefix(fmt.Sprint(a.status, " "), "0 "), "timeout")
	case errors.Is(a.err, syscall.ECONNRESET):
		return "reset"
	case errors.Is(a.err, io.ErrUnexpectedEOF):
		return fmt.Sprint(a.status, " cut short")
	case errors.Is(a.err, io.EOF):
		return "end of file"
	case strings.Contains(a.err.Error(), "malformed"):
		return "malformed"
	}
	return a.err.Error()
}

// decided are decisions in words.
func decided(ds []journal.Decision) []string {
	words := []string{}
	for _, d := range ds {
		words = append(words, strings.TrimSuffix(fmt.Sprintf("%s %s: %s", d.Result, d.Fault, d.Reason), ": "))
	}
	return words
}

// came is how an attempt ended, in words: what was sent, and when, counted from the play's beginning.
func came(a journal.Attempt) string {
	words := fmt.Sprint(a.Status)
	for _, m := range []struct {
		name string
		at   clock.Moment
	}{{"first", a.ReplyFirst}, {"last", a.ReplyLast}, {"cut", a.Cut}, {"gone", a.Gone}} {
		if m.at.Happened() {
			words += fmt.Sprintf(", %s %s", m.name, m.at.Sub(beginning))
		}
	}
	return words
}

// beginning is what a clock starts at.
const beginning = clock.Moment(time.Millisecond)

// Each fault at each of its phases: what the client sees, and what is true.
func TestFaultsAtTheirPhases(t *testing.T) {
	const patience = 5 * time.Second
	long := strings.Repeat("x", 1<<20)
	for _, row := range []struct {
		name    string
		script  string
		method  string // default POST
		body    string
		saw     string
		took    time.Duration
		effects int
		came    string
		decided []string
	}{
		{name: "none", script: `[ok]`, saw: "201", effects: 1, came: "201, first 0s, last 0s", decided: []string{}},

		{name: "status at head", script: `[503 head]`, saw: "503", came: "503, first 0s, last 0s", decided: []string{"fired status 503 head"}},
		{name: "status at head, long body still coming", script: `[503 head]`, body: long, saw: "503", came: "503, first 0s, last 0s", decided: []string{"fired status 503 head"}},
		{name: "reset at head", script: `[reset head]`, saw: "reset", came: "0, cut 0s", decided: []string{"fired reset head"}},
		{name: "close at head", script: `[close head]`, saw: "end of file", came: "0, cut 0s", decided: []string{"fired close head"}},
		{name: "delay at head", script: `[delay 2s head]`, saw: "201", took: 2 * time.Second, effects: 1, came: "201, first 2s, last 2s", decided: []string{"fired delay 2s head"}},
		{name: "hold at head", script: `[hold head]`, saw: "timeout", took: patience, came: "0, cut 5s, gone 5s", decided: []string{"fired hold head"}},
		{name: "hold at head, long body still coming", script: `[hold head]`, body: long, saw: "timeout", took: patience, came: "0, cut 5s, gone 5s", decided: []string{"fired hold head"}},

		{name: "status before commit", script: `[503]`, saw: "503", came: "503, first 0s, last 0s", decided: []string{"fired status 503 before-commit"}},
		{name: "reset before commit", script: `[reset before-commit]`, saw: "reset", came: "0, cut 0s", decided: []string{"fired reset before-commit"}},
		{name: "close before commit", script: `[close before-commit]`, saw: "end of file", came: "0, cut 0s", decided: []string{"fired close before-commit"}},
		{name: "delay before commit", script: `[delay 2s]`, saw: "201", took: 2 * time.Second, effects: 1, came: "201, first 2s, last 2s", decided: []string{"fired delay 2s before-commit"}},
		{name: "hold before commit", script: `[hold]`, saw: "timeout", took: patience, came: "0, cut 5s, gone 5s", decided: []string{"fired hold before-commit"}},

		{name: "status after commit is a lie", script: `[502 after-commit]`, saw: "502", effects: 1, came: "502, first 0s, last 0s", decided: []string{"fired status 502 after-commit"}},
		{name: "reset after commit", script: `[reset after-commit]`, saw: "reset", effects: 1, came: "0, cut 0s", decided: []string{"fired reset after-commit"}},
		{name: "close after commit", script: `[close after-commit]`, saw: "end of file", effects: 1, came: "0, cut 0s", decided: []string{"fired close after-commit"}},
		{name: "hold after commit", script: `[hold after-commit]`, saw: "timeout", took: patience, effects: 1, came: "0, cut 5s, gone 5s", decided: []string{"fired hold after-commit"}},
		{name: "after commit there is a read too", script: `[reset after-commit]`, method: http.MethodGet, saw: "reset", came: "0, cut 0s", decided: []string{"fired reset after-commit"}},

		{name: "severed: applied all the same", script: `[sever 2s]`, saw: "reset", effects: 1, came: "0, cut 0s", decided: []string{"fired sever 2s before-commit"}},
		{name: "severed: nothing comes after", script: `[[sever 2s, truncate, close idle]]`, saw: "reset", effects: 1, came: "0, cut 0s",
			decided: []string{"fired sever 2s before-commit", "skipped truncate reply-body: the connection was severed before", "skipped close idle: the connection was severed before"}},
		{name: "a saved error", script: `[saved 500]`, saw: "500", effects: 1, came: "500, first 0s, last 0s", decided: []string{"fired saved 500 after-commit"}},
		{name: "a saved error whose reply is lost", script: `[saved 500 + reset]`, saw: "reset", effects: 1, came: "0, cut 0s", decided: []string{"fired saved 500 after-commit", "fired reset after-commit"}},

		{name: "truncated by FIN", script: `[truncate]`, saw: "201 cut short", effects: 1, came: "201, first 0s, cut 0s", decided: []string{"fired truncate reply-body"}},
		{name: "truncated by RST", script: `[{fault: truncate, end: reset}]`, saw: "reset", effects: 1, came: "201, first 0s, cut 0s", decided: []string{"fired truncate end=reset reply-body"}},
		{name: "truncated chunks", script: `[{fault: truncate, chunked: true}]`, saw: "201 cut short", effects: 1, came: "201, first 0s, cut 0s", decided: []string{"fired truncate chunked=true reply-body"}},
		{name: "no reply to HEAD has a body", script: `[truncate]`, method: http.MethodHead, saw: "200", came: "200, first 0s, last 0s", decided: []string{"skipped truncate reply-body: such a reply never has a body"}},
		{name: "garbage", script: `[garbage]`, saw: "malformed", effects: 1, came: "0, first 0s, cut 0s", decided: []string{"fired garbage reply-head"}},
		{name: "stalled in the head", script: `[stall reply-head]`, saw: "timeout", took: patience, effects: 1, came: "201, first 0s, cut 5s, gone 5s", decided: []string{"fired stall reply-head"}},
		{name: "stalled in the body", script: `[stall]`, saw: "201 timeout", took: patience, effects: 1, came: "201, first 0s, cut 5s, gone 5s", decided: []string{"fired stall reply-body"}},
		{name: "dripped", script: `[{fault: drip, bytes: 100, every: 1s}]`, saw: "201", took: time.Second, effects: 1, came: "201, first 0s, last 1s", decided: []string{"fired drip 1s bytes=100 reply-body"}},
		{name: "dripped head", script: `[{fault: drip, at: reply-head, bytes: 100, every: 1s}]`, saw: "201", took: 2 * time.Second, effects: 1, came: "201, first 1s, last 2s", decided: []string{"fired drip 1s bytes=100 reply-head"}},
		{name: "dripped for too long", script: `[{fault: drip, bytes: 1, every: 900ms}]`, saw: "201 timeout", took: patience, effects: 1, came: "201, first 0s, cut 6.3s, gone 5s", decided: []string{"fired drip 900ms bytes=1 reply-body"}},

		{name: "interim replies for ever", script: `[interim 900ms]`, saw: "timeout", took: patience, came: "0, cut 5.4s, gone 5s", decided: []string{"fired interim 900ms before-commit"}},
		{name: "interim replies, then the reply", script: `[interim 1s code=102 times=3]`, saw: "201", took: 3 * time.Second, effects: 1, came: "201, first 3s, last 3s", decided: []string{"fired interim 1s code=102 times=3 before-commit"}},
		{name: "no last chunk", script: `[last-chunk]`, saw: "201 cut short", effects: 1, came: "201, first 0s, cut 0s", decided: []string{"fired last-chunk reply-body"}},
		{name: "a last chunk in two segments", script: `[last-chunk 3 pause=1s]`, saw: "201", took: time.Second, effects: 1, came: "201, first 0s, last 1s", decided: []string{"fired last-chunk 3 pause=1s reply-body"}},
		{name: "a reply behind the reply", script: `[surplus reply-body]`, saw: "201", effects: 1, came: "201, first 0s, last 0s, gone 0s", decided: []string{"fired surplus reply-body"}},
		{name: "a reply on the idle connection", script: `[surplus 408]`, saw: "201", effects: 1, came: "201, first 0s, last 0s, gone 0s", decided: []string{"fired surplus 408 idle"}},
		{name: "a reply on the idle connection, and its end", script: `[surplus 408 close=true]`, saw: "201", effects: 1, came: "201, first 0s, last 0s", decided: []string{"fired surplus 408 close=true idle"}},
		{name: "a reply on the idle connection, later", script: `[surplus 408 after=1s]`, saw: "201", effects: 1, came: "201, first 0s, last 0s, gone 1s", decided: []string{"fired surplus 408 after=1s idle"}},
		{name: "chunks and a length", script: `[conflict chunks-and-length]`, saw: "201", effects: 1, came: "201, first 0s, last 0s", decided: []string{"fired conflict chunks-and-length reply-head"}},
		{name: "spared, and then closed", script: `[unclosed + close idle]`, saw: "201", effects: 1, came: "201, first 0s, last 0s", decided: []string{"fired unclosed reply-head", "fired close idle"}},
		{name: "no 100", script: `[no-continue]`, body: "x", saw: "201", effects: 1, came: "201, first 0s, last 0s", decided: []string{"fired no-continue head"}},
		{name: "no 100, and refused before the body", script: `[no-continue + 413 head]`, body: "x", saw: "413", came: "413, first 0s, last 0s", decided: []string{"fired no-continue head", "fired status 413 head"}},

		{name: "closed when idle", script: `[close idle]`, saw: "201", effects: 1, came: "201, first 0s, last 0s", decided: []string{"fired close idle"}},
		{name: "reset when idle", script: `[reset idle]`, saw: "201", effects: 1, came: "201, first 0s, last 0s", decided: []string{"fired reset idle"}},

		{name: "several", script: `[[delay 1s, reset after-commit]]`, saw: "reset", took: time.Second, effects: 1, came: "0, cut 1s", decided: []string{"fired delay 1s before-commit", "fired reset after-commit"}},
		{name: "the first status goes before all that follows it", script: `[[503, delay 1s, reset after-commit, close idle]]`, saw: "503", came: "503, first 0s, last 0s",
			decided: []string{"fired status 503 before-commit", "skipped delay 1s before-commit: status 503 before-commit came first", "skipped reset after-commit: status 503 before-commit came first", "fired close idle"}},
		{name: "nothing comes after a reset", script: `[[reset before-commit, truncate, close idle]]`, saw: "reset", came: "0, cut 0s",
			decided: []string{"fired reset before-commit", "skipped truncate reply-body: reset before-commit came first", "skipped close idle: reset before-commit came first"}},
		{name: "a status can be truncated", script: `[[503, truncate]]`, saw: "503 cut short", came: "503, first 0s, cut 0s", decided: []string{"fired status 503 before-commit", "fired truncate reply-body"}},
		{name: "nothing comes after a sender", script: `[[stall reply-head, close idle]]`, saw: "timeout", took: patience, effects: 1, came: "201, first 0s, cut 5s, gone 5s",
			decided: []string{"fired stall reply-head", "skipped close idle: stall reply-head came first, and closed the connection"}},
		{name: "chance", script: `{steps: [reset after-commit], probability: 1e-12}`, saw: "201", effects: 1, came: "201, first 0s, last 0s",
			decided: []string{"skipped reset after-commit: chance let the attempt through, at a probability of 1e-12"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			inPlay(t, Config{Plan: always(t, row.script)}, func(p *play) {
				method := row.method
				if method == "" {
					method = http.MethodPost
				}
				a := p.within(patience, method, "/orders?op=op-00000001", row.body)
				if a.saw() != row.saw || a.took != row.took {
					t.Errorf("client: got %s after %s, want %s after %s", a.saw(), a.took, row.saw, row.took)
				}
				time.Sleep(10 * time.Second) // what was left to come has come
				r := p.record()
				if got := len(r.Effects); got != row.effects {
					t.Errorf("got %d effects, want %d", got, row.effects)
				}
				if len(r.Attempts) != 1 {
					t.Fatalf("got %d attempts, want 1", len(r.Attempts))
				}
				if got := came(r.Attempts[0]); got != row.came {
					t.Errorf("attempt: got %s, want %s", got, row.came)
				}
				if diff := cmp.Diff(row.decided, decided(r.Decisions)); diff != "" {
					t.Errorf("decisions (-want +got):\n%s", diff)
				}
			})
		})
	}
}
