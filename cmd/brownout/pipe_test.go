package main

import (
	"bufio"
	"os"
	"testing"
)

// TestReaderLeaves is "run | head -1": the reader goes after one line of what it reads. The verdict and the report are the same.
func TestReaderLeaves(t *testing.T) {
	tests := []struct {
		name   string
		pipe   func(p *process, w *os.File)
		reason string
	}{
		{"stdout", func(p *process, w *os.File) { p.Stdout = w }, "what is judged is cut off"},
		{"stderr", func(p *process, w *os.File) { p.Stderr = w }, "progress is cut off, in the middle of the run"},
		{"both", func(p *process, w *os.File) { p.Stdout, p.Stderr = w, w }, "2>&1 | head -1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := brownout(t, client("twice", "--rules", "RT-11,CX-01", "--report", dir)...)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			tt.pipe(p, w)
			p.begin()
			w.Close()
			if _, err := bufio.NewReader(r).ReadByte(); err != nil {
				t.Errorf("got %v, want a first line", err)
			}
			r.Close()
			if got := p.wait(); got.code != exitNotConformant {
				t.Errorf("got exit %d, want 1: %s", got.code, tt.reason)
			}
			report := readReport(t, dir)
			report.sound(t, dir)
			report.agreesWithJUnit(t, dir)
			if got := unread(t, "check", dir); got.code != exitNotConformant {
				t.Errorf("check: got %+v, want exit 1 as well", got)
			}
		})
	}
}

// TestReaderOfListLeaves is "rules | head -0": a command that only writes ends as all of them do.
func TestReaderOfListLeaves(t *testing.T) {
	t.Parallel()
	const bySignal = -1 // what os/exec gives for an exit code then
	if got := unread(t, "rules", "--json"); got.code != bySignal || got.err != "" {
		t.Errorf("got exit %d, stderr %q; want an end by SIGPIPE, without a word", got.code, got.err)
	}
}

// unread runs a command whose stdout nobody reads.
func unread(t *testing.T, args ...string) ended {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	p := brownout(t, args...)
	p.Stdout = w
	p.begin()
	w.Close()
	return p.wait()
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	p := brownout(t, "rules", "--json")
	p.Stdout = full
	want := ended{exitCannotJudge, "", "brownout: write /dev/stdout: no space left on device\n"}
	if got := p.ran(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
