package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// mostAttempts is how many attempts a timeline shows before it is cut: enough to see a pattern, few enough to stay on a screen.
const mostAttempts = 8

// timeline draws one operation: its attempts, what was applied, how each ended, the deadline, and what the caller was told.
//
//	0.000 s  → #1 POST /v1/payments  1.2 kB   ● applied #1   ✂ 502 after-commit
func timeline(w io.Writer, op transcript.Op) {
	type line struct {
		at   time.Duration
		text string
	}
	var lines []line
	for i, a := range op.Attempts {
		if i == mostAttempts {
			lines = append(lines, line{since(op, a.FirstByte), fmt.Sprintf("… and %d more attempts", len(op.Attempts)-i)})
			break
		}
		lines = append(lines, line{since(op, a.FirstByte), attempt(i, a, op)})
		if leftFirst(a) {
			lines = append(lines, line{since(op, a.Gone), fmt.Sprintf("← the client left #%d", i+1)})
		}
	}
	for _, a := range op.LookUps {
		lines = append(lines, line{since(op, a.FirstByte), fmt.Sprintf("? %s %s, a look-up  ← %d", Harmless(a.Method), path(a.Target), a.Status)})
	}
	if d := time.Duration(op.Deadline); d > 0 && op.Elapsed() > d {
		lines = append(lines, line{d, "━ the deadline"})
	}
	said := "the client said: " + string(op.Outcome)
	if op.GaveUp {
		said = "no answer; the play gave up on the client"
	} else {
		if op.Status != 0 {
			said += fmt.Sprintf(" %d", op.Status)
		}
		if op.Err != "" {
			said += " (" + shorten(plain(op.Err), 60) + ")"
		}
	}
	lines = append(lines, line{op.Elapsed(), said})
	slices.SortStableFunc(lines, func(a, b line) int { return int(a.at - b.at) })
	for _, l := range lines {
		fmt.Fprintf(w, "    %8.3f s  %s\n", l.at.Seconds(), Harmless(l.text))
	}
}

func since(op transcript.Op, m clock.Moment) time.Duration { return m.Sub(op.Began) }

func attempt(i int, a journal.Attempt, op transcript.Op) string {
	what := fmt.Sprintf("→ #%d %s %s", i+1, Harmless(a.Method), path(a.Target))
	if a.BodyBytes > 0 {
		what += "  " + size(a.BodyBytes)
	}
	if a.Key != "" {
		what += "  key " + shorten(Harmless(a.Key), 12)
	}
	applied := ""
	switch {
	case a.Effect != 0:
		applied = fmt.Sprintf("● applied #%d", nth(a.Effect, op))
	case a.Replayed:
		applied = "○ replayed"
	}
	return strings.TrimRight(fmt.Sprintf("%-52s %-12s %s", what, applied, ending(a, op)), " ")
}

// nth numbers an effect within its operation.
func nth(effect int, op transcript.Op) int {
	for i, e := range op.Effects {
		if e.Number == effect {
			return i + 1
		}
	}
	return 0
}

// ending is how the fake ended an attempt, as far as it did.
func ending(a journal.Attempt, op transcript.Op) string {
	switch {
	case a.ReplyLast.Happened():
		return fmt.Sprintf("← %d", a.Status) + hint(a, op)
	case leftFirst(a) || !a.Cut.Happened():
		return "… no answer" + hint(a, op)
	}
	return "✂ cut" + hint(a, op)
}

// leftFirst tells whether the client ended an attempt before the fake did.
func leftFirst(a journal.Attempt) bool {
	return a.Gone.Happened() && !a.ReplyLast.Happened() && (!a.Cut.Happened() || a.Gone <= a.Cut)
}

// hint names the fault that struck an attempt.
func hint(a journal.Attempt, op transcript.Op) string {
	if name := op.Struck(a.Number); name != "" {
		return "  (" + name + ")"
	}
	return ""
}

// path leaves the query away: it only carries the operation's token.
func path(target string) string {
	p, _, _ := strings.Cut(target, "?")
	return shorten(Harmless(p), 40)
}

func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

func shorten(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}
