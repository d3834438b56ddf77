package drive

import (
	"fmt"
	"strings"
	"time"
)

// SetupError says that a client cannot be judged, because what its adapter tells about the simplest things is not true. Nothing that it
// told about harder ones would mean anything.
type SetupError struct {
	Asked     string // what the client was asked to do
	Want, Got string
	LastWords string // of its streams
}

func (e *SetupError) Error() string {
	text := fmt.Sprintf("the adapter is not set up right: it was asked for %s\n  expected  %s\n  happened  %s", e.Asked, e.Want, e.Got)
	if e.LastWords != "" {
		text += "\n" + e.LastWords
	}
	return text
}

// refuse makes the answer to a question the reason why its client is not judged.
func (a probed) refuse(asked, want string) *SetupError {
	got := fmt.Sprintf("outcome %q after %v", a.Outcome, a.Ended.Sub(a.Began).Round(time.Millisecond))
	if a.Status != 0 {
		got += fmt.Sprintf(", status %d", a.Status)
	}
	if a.Err != "" {
		got += fmt.Sprintf(", error %q", a.Err)
	}
	got += fmt.Sprintf("; %s reached the fake", counted(len(a.reached), "request"))
	if a.strays > 0 {
		got += fmt.Sprintf(", and %d that had lost the query of the URL", a.strays)
	}
	if a.Trouble != "" {
		trouble, _, _ := strings.Cut(a.Trouble, "\n"+a.LastWords)
		got += "\n            " + trouble
	}
	return &SetupError{Asked: asked, Want: want, Got: got, LastWords: a.LastWords}
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
