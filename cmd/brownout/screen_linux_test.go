package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTerminal wants colour on a terminal, unless it was asked for none, and never a code that moves the cursor.
func TestTerminal(t *testing.T) {
	tests := []struct {
		name   string
		env    []string
		colour bool
		reason string
	}{
		{"colour", []string{"TERM=xterm-256color"}, true, "a terminal shows it"},
		{"NO_COLOR", []string{"TERM=xterm-256color", "NO_COLOR=1"}, false, "https://no-color.org"},
		{"dumb", []string{"TERM=dumb"}, false, "it cannot"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ours, theirs := terminalPair(t)
			p := brownout(t, client("twice", "--rules", "RT-11,CX-01")...)
			p.Env = append(p.Env, tt.env...)
			p.Stdout, p.Stderr = theirs, theirs
			p.begin()
			theirs.Close()
			shown := make(chan string, 1)
			go func() {
				text, _ := io.ReadAll(ours) // EIO when the last writer has gone
				shown <- string(text)
			}()
			got := p.wait()
			text := <-shown
			if got.code != exitNotConformant || !strings.Contains(text, "3/3 played") || !strings.Contains(text, "RT-11") {
				t.Errorf("got exit %d, want 1 with progress and a verdict:\n%q", got.code, text)
			}
			if colour := strings.Contains(text, "\x1b[31;1m✗\x1b[0m"); colour != tt.colour {
				t.Errorf("got colour %v, want %v: %s\n%q", colour, tt.colour, tt.reason, text)
			}
			plain := text
			for _, code := range []string{"31;1", "32", "0"} {
				plain = strings.ReplaceAll(plain, "\x1b["+code+"m", "")
			}
			if strings.Contains(plain, "\x1b") || !tt.colour && strings.Contains(text, "\x1b") {
				t.Errorf("got other escape codes: %q", text)
			}
		})
	}
}

// terminalPair opens a pseudo terminal: ours is its master, theirs what a command takes for a terminal.
func terminalPair(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo terminal:", err)
	}
	t.Cleanup(func() { ours.Close() })
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no pseudo terminal:", err)
	}
	number, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip("no pseudo terminal:", err)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminal:", err)
	}
	return ours, theirs
}
