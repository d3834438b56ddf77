package main

import (
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"github.com/brownout-dev/brownout/suites"
)

// screen shows how far a run has come: one line that changes on a terminal, a line per play elsewhere.
type screen struct {
	out  io.Writer
	live bool
}

func newScreen(out io.Writer) *screen { return &screen{out, terminal(out)} }

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// colourful tells whether output may be coloured: a terminal whose user has not asked for none (https://no-color.org).
func colourful(w io.Writer) bool { return terminal(w) && os.Getenv("NO_COLOR") == "" }

const clearLine = "\r\x1b[K"

func (s *screen) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

func (s *screen) played(p suites.Progress) {
	what := "played"
	if p.Again {
		what = "played again:"
	}
	line := fmt.Sprintf("%2d/%d %s %s", p.Done, p.Of, what, p.Scenario)
	if s.live {
		fmt.Fprint(s.out, clearLine+line)
		return
	}
	fmt.Fprintln(s.out, line)
}

func (s *screen) clear() {
	if s.live {
		fmt.Fprint(s.out, clearLine)
	}
}
