package main

import (
	"bufio"
	"os"
	"syscall"
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
			p := brownout(t, client("twice", "--rules", "RA-07,CX-01", "--report", dir)...)
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
		})
	}
}

// TestReaderOfListLeaves is "rules | head -0": a command that only writes ends as all of them do.
func TestReaderOfListLeaves(t *testing.T) {
	t.Parallel()
	p := brownout(t, "rules", "--json")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	p.Stdout = w
	p.begin()
	w.Close()
	got := p.wait()
	if status := p.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGPIPE || got.err != "" {
		t.Errorf("got %v, stderr %q; want an end by SIGPIPE, without a word", p.ProcessState, got.err)
	}
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
