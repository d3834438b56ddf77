package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestUnfitClients wants of each client that is not fit to be judged one message, no verdict and nothing left running.
func TestUnfitClients(t *testing.T) {
	const unfit = `^brownout: the adapter is not set up right: `
	tests := []struct {
		mode   string
		want   string // of stderr, as a regular expression
		reason string
	}{
		{"nothing", unfit + `it was asked for a plain GET that is answered with 200
  expected  outcome "ok", after one request
  happened  outcome "ok" after [0-9.µms]+; 0 requests reached the fake
stdout \| \(nothing\)
stderr \| \(nothing\)
$`, "exit 0 without a request is no success"},
		{"fail", unfit + `it was asked for a plain GET that is answered with 200
  expected  outcome "ok", after one request
  happened  outcome "error" after [0-9.µms]+, error "exit status 1"; 0 requests reached the fake
stdout \| \(nothing\)
stderr \| \(nothing\)
$`, "a plain GET is what any client can do"},
		{"hang", unfit + `it was asked for a plain GET that is answered with 200
  expected  outcome "ok", after one request
  happened  outcome "error" after [0-9.]+s; 0 requests reached the fake
            did not come back, and was ended after [0-9.]+s \(signal: (terminated|killed)\)
stdout \| \(nothing\)
stderr \| \(nothing\)
$`, "it is ended, and the run with it"},
		{"flood", unfit + `(.|\n)*
            flooded stdout: more than 67108864 bytes
stdout \| and so on(.|\n)*
stdout \| \.\.\. [0-9]+ bytes in all \.\.\.
`, "the end of the flood is enough to see what it is"},
		{"garbage", unfit + `(.|\n)*; 0 requests reached the fake
stdout \| \\x1b\[2J\\x1b\[31m<script>\\xff\\xfe\\x00\\a
stderr \| \(nothing\)
$`, "what it printed is shown, spelled out"},
		{"leave-child", unfit + `(.|\n)*; 1 request reached the fake
            left behind and killed: ".* be hang" \(pid [0-9]+\)
`, "it would go on sending"},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			got := ran(t, client(tt.mode)...)
			if got.code != exitCannotJudge || got.out != "" || !regexp.MustCompile(tt.want).MatchString(got.err) {
				t.Errorf("got exit %d, stdout %q, stderr:\n%s\nwant exit %d, no verdict, and on stderr:\n%s\n%s", got.code, got.out, got.err, exitCannotJudge, tt.want, tt.reason)
			}
			if n := strings.Count(got.err, "brownout:"); n != 1 || strings.Contains(got.err, "\x1b") {
				t.Errorf("got %d messages, want one, without escape codes:\n%q", n, got.err)
			}
		})
	}
}

// TestDaemonLeftBehind is about children that flee into a session of their own and hold nothing open.
func TestDaemonLeftBehind(t *testing.T) {
	t.Parallel()
	got := ran(t, "run", "--exec", "--", "sh", "-c", "setsid sleep 300 >/dev/null 2>&1 </dev/null & exec "+os.Args[0]+" be honest")
	if got.code != exitCannotJudge || got.out != "" || !strings.HasPrefix(got.err, "brownout: the adapter is not set up right: ") ||
		!strings.Contains(got.err, "left behind and killed: ") || !strings.Contains(got.err, "sleep 300") {
		t.Errorf("got exit %d, stdout %q, stderr %q\nwant exit 2, and what was left behind by name", got.code, got.out, got.err)
	}
}

// TestClientThatDiesInPlays is about one that is killed after its request: that it sent no second one is not its own doing.
func TestClientThatDiesInPlays(t *testing.T) {
	t.Parallel()
	got := ran(t, client("die-in-plays", "--rules", "RT-11,CX-01")...)
	if got.code != exitCannotJudge || !strings.Contains(got.out, " is inconclusive: 2 error\n") {
		t.Errorf("got exit %d, stdout:\n%s\nwant exit 2 and an error for each rule: a client that was killed did not decide anything", got.code, got.out)
	}
	const why = "  the adapter failed: ended without an answer by a signal that was not ours (signal: killed): what it would have said is not known\n  stdout | (nothing)\n  stderr | (nothing)\n"
	if strings.Count(got.out, why) != 1 {
		t.Errorf("want once, in full:\n%s\ngot:\n%s", why, got.out)
	}
}
