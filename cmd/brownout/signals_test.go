package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSignals ends runs in the middle: the client has failed RA-07 by then, which was not played again, and hangs in CX-01, where it ignores
// SIGTERM.
func TestSignals(t *testing.T) {
	tests := []struct {
		name   string
		signal syscall.Signal
		reason string
	}{
		{"SIGINT", syscall.SIGINT, "Ctrl-C"},
		{"SIGTERM", syscall.SIGTERM, "a CI stage that is cancelled"},
		{"SIGHUP", syscall.SIGHUP, "the terminal was closed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if signal.Ignored(tt.signal) {
				t.Skip("this test was started with the signal ignored, and so will be what it starts")
			}
			dir := t.TempDir()
			p := brownout(t, client("twice-or-hang", "--rules", "RA-07,DL-05", "--jobs", "1", "--report", dir)...)
			p.begin()
			p.shows("played asks-for-a-day")
			p.hangs()
			p.Process.Signal(tt.signal)
			got := p.wait()
			if got.code != exitCannotJudge || !strings.HasSuffix(got.err, "brownout: interrupted: what was judged by then is shown above\n") {
				t.Errorf("got exit %d, stderr:\n%s\nwant exit 2 and the reason: %s", got.code, got.err, tt.reason)
			}
			if !strings.Contains(got.out, "inconclusive RA-07") || !strings.Contains(got.out, "fail once, and cut short before it was played again") || !strings.Contains(got.out, "its scenario dripping-body was not played to its end") {
				t.Errorf("got stdout:\n%s\nwant RA-07 in doubt, since it was not played again, and DL-05 not tested with the reason", got.out)
			}
			r := readReport(t, dir)
			if !r.Interrupted || r.Verdict != "inconclusive" || len(r.Rules) != 2 {
				t.Errorf("got interrupted %v, verdict %q, %d rules; want a whole report of a run that is no proof", r.Interrupted, r.Verdict, len(r.Rules))
			}
			r.sound(t, dir)
			r.agreesWithJUnit(t, dir)
			if again := said(t, "check", dir); again.code != exitCannotJudge || again.out != strings.TrimSuffix(got.out, "report: "+dir+"\n") {
				t.Errorf("check: got exit %d:\n%s\nwant exit 2 and what the run said:\n%s", again.code, again.out, got.out)
			}
		})
	}
}

func TestSignalWhileProbing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := brownout(t, client("hang", "--rules", "RA-07", "--report", dir)...)
	p.begin()
	p.hangs()
	p.Process.Signal(syscall.SIGTERM)
	got := p.wait()
	want := ended{exitCannotJudge, "", "brownout: interrupted before anything was judged\n"}
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "report.json")); !os.IsNotExist(err) {
		t.Errorf("got %v, want no report of what was not judged", err)
	}
}

// TestSecondSignal is for people who do not want to wait for a client that ignores SIGTERM.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	p := brownout(t, client("hang-in-plays", "--rules", "CX-01")...)
	p.begin()
	p.hangs()
	p.Process.Signal(syscall.SIGSTOP) // so that both arrive together, however late this test is
	p.Process.Signal(syscall.SIGINT)
	p.Process.Signal(syscall.SIGTERM)
	p.Process.Signal(syscall.SIGCONT)
	if got := p.wait(); got.code != exitCannotJudge || got.out != "" {
		t.Errorf("got exit %d, stdout %q; want exit 2 at once, without a word", got.code, got.out)
	}
}
