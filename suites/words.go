package suites

import (
	"fmt"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/suites/transcript"
)

// said is what the client told its caller.
func said(op transcript.Op) string {
	s := string(op.Outcome)
	if op.Status != 0 {
		s += fmt.Sprintf(" (%d)", op.Status)
	}
	if op.Err != "" {
		s += ": " + op.Err
	}
	return s
}

// show rounds a duration to what people read.
func show(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

func seconds(s float64) string { return show(time.Duration(s * float64(time.Second))) }

// traffic is what came of an operation.
func traffic(op transcript.Op) string { return count(len(op.Attempts), "attempt") + effects(op) }

// effects spells out what people pay for.
func effects(op transcript.Op) string {
	switch n := len(op.Effects); n {
	case 0:
		return ""
	case 1:
		return ", 1 effect"
	default:
		return fmt.Sprintf(", %d effects: it was applied %d times", n, n)
	}
}

// were is how many effects were there, as the beginning of a sentence's end: "1 effect was".
func were(n int) string {
	switch n {
	case 0:
		return "nothing was"
	case 1:
		return "1 effect was"
	}
	return fmt.Sprintf("%d effects were", n)
}

// count is a number of things, of which there may be one.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func list(ds []time.Duration) string {
	words := make([]string, len(ds))
	for i, d := range ds {
		words[i] = show(d)
	}
	return strings.Join(words, ", ")
}
