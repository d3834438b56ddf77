package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-isatty"

	"github.com/brownout-dev/brownout/suites"
)

// screen shows how far a run has come: one line that changes on a terminal, a line per play elsewhere. It needs no escape codes.
type screen struct {
	out   io.Writer
	live  bool
	width int // of the line that stands there, in letters
}

func newScreen(out io.Writer) *screen { return &screen{out: out, live: terminal(out)} }

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// colourful tells whether output may be coloured: a terminal that knows colours, and whose user has not asked for none
// (https://no-color.org).
func colourful(w io.Writer) bool {
	return terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func (s *screen) say(format string, args ...any) {
	s.clear()
	fmt.Fprintf(s.out, format+"\n", args...)
}

func (s *screen) played(p suites.Progress) {
	what := "played"
	if p.Again {
		what = "played again:"
	}
	line := fmt.Sprintf("%2d/%d %s %s", p.Done, p.Of, what, p.Scenario)
	if !s.live {
		fmt.Fprintln(s.out, line)
		return
	}
	s.clear()
	fmt.Fprint(s.out, line)
	s.width = utf8.RuneCountInString(line)
}

// clear takes the changing line away, if there is one.
func (s *screen) clear() {
	if s.width > 0 {
		fmt.Fprint(s.out, "\r"+strings.Repeat(" ", s.width)+"\r")
		s.width = 0
	}
}
