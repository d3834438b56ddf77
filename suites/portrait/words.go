package portrait

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
)

// Line is one trait, for people.
type Line struct{ Trait, Says string }

// Lines tells the portrait in a few lines. Every trait is there: those that the plays did not show are in the last line, which says so.
func (p Portrait) Lines() []Line {
	var seen []Line
	var unseen []string
	for _, l := range p.traits() {
		if l.Says == "" {
			unseen = append(unseen, l.Trait)
		} else {
			seen = append(seen, l)
		}
	}
	if len(unseen) > 0 {
		seen = append(seen, Line{string(NotSeen), join(unseen)})
	}
	return seen
}

// traits gives every trait; what was not seen says nothing.
func (p Portrait) traits() []Line {
	return []Line{
		{"retries", p.retries()},
		{"does not on", p.never()},
		{"waits", p.waits()},
		{"Retry-After", p.hints()},
		{"keys", p.keys()},
		{"attempt timer", p.timer()},
		{"hedges", p.hedges()},
		{"transport", p.hidden()},
		{"budget", p.budget()},
		{"outcomes", p.says()},
	}
}

func (p Portrait) retries() string {
	if p.Retries != Yes {
		return map[Sign]string{No: "no: one attempt, whatever comes"}[p.Retries]
	}
	var whole, safely []string
	for _, c := range p.Causes {
		switch {
		case c.Unkeyed.Repeated > 0:
			whole = append(whole, c.What)
		case c.Repeatable.Repeated > 0:
			safely = append(safely, c.What)
		}
	}
	var told []string
	if s := p.Attempts.words(); s != "" {
		told = append(told, s)
	}
	if len(safely) > 0 {
		told = append(told, "reads and keyed writes on "+join(safely))
	}
	if len(whole) > 0 {
		told = append(told, "writes without a key as well on "+join(whole))
	}
	return strings.Join(told, "; ")
}

// words says how many attempts are made; nothing where none was repeated that the service saw, as when nobody listened at first.
func (a Attempts) words() string {
	s := fmt.Sprintf("up to %d attempts", a.Most)
	switch {
	case a.Most < 2:
		return ""
	case a.Usual > 0 && a.Usual < a.Most:
		s = fmt.Sprintf("mostly %d attempts, up to %d", a.Usual, a.Most)
	}
	if a.TimeEnded {
		s += ", ended by time"
	}
	return s
}

func (p Portrait) never() string {
	var never []string
	for _, c := range p.Causes {
		if c.Repeatable.Repeated+c.Unkeyed.Repeated == 0 {
			never = append(never, c.What)
		}
	}
	if b := p.Budget; len(never) > 0 && b.HeldBack+b.Unsent > 0 {
		return join(never) + " (where a budget or a breaker may have held it back)"
	}
	return join(never)
}

func (p Portrait) waits() string {
	w := p.Waits
	if w == nil {
		return ""
	}
	s := w.First.words()
	if w.Base > 0 && w.First.Kind != drive.NoJitter {
		s += ", from " + show(w.Base)
	}
	switch g := w.Growth; {
	case g == 0:
		s += "; growth not seen"
	case g < 1/levelled:
		s += fmt.Sprintf("; shrinking, by %.2g each time", g)
	case g < levelled:
		s += "; not growing"
	case g > 2/levelled && g < 2*levelled:
		s += "; about doubling each time"
	default:
		s += fmt.Sprintf("; growing by %.2g each time", g)
	}
	if w.Cap > 0 {
		return s + ", up to " + show(w.Cap)
	}
	return s + ", the longest " + show(w.Longest)
}

// words says how first waits are spread.
func (s Shape) words() string {
	over := fmt.Sprintf("over %d", s.Samples)
	switch {
	case s.Samples < fewest:
		return fmt.Sprintf("%s to %s, too few to tell their jitter (%d)", show(s.Low), show(s.High), s.Samples)
	case s.Kind == "" && !s.Uneven:
		return fmt.Sprintf("%s to %s, too short for their jitter to show on this machine (%s)", show(s.Low), show(s.High), over)
	case s.Kind == "":
		return fmt.Sprintf("%s to %s, unevenly spread, of no known jitter (%s)", show(s.Low), show(s.High), over)
	case s.Kind == drive.NoJitter:
		return fmt.Sprintf("%s, no jitter (%s)", show(s.High), over)
	case s.Kind == drive.PercentJitter:
		return fmt.Sprintf("%s to %s, jitter of %.0f %% either way (p %.2g, %s)", show(s.Low), show(s.High), s.Percent, s.P, over)
	}
	return fmt.Sprintf("%s to %s, %s jitter (p %.2g, %s)", show(s.Low), show(s.High), s.Kind, s.P, over)
}

func (p Portrait) hints() string {
	h := p.Hints
	switch {
	case h.Given == 0:
		return ""
	case h.Stopped == h.Given:
		return fmt.Sprintf("never comes back when told when (%s)", several(h.Given, "operation"))
	case h.Early == 0:
		return fmt.Sprintf("honoured: %d came back when told or later, %d stopped", h.Honoured, h.Stopped)
	case h.Honoured == 0:
		return fmt.Sprintf("ignored: %d came back early, %d stopped", h.Early, h.Stopped)
	}
	return fmt.Sprintf("honoured by halves: %d came back when told or later, %d early, %d stopped", h.Honoured, h.Early, h.Stopped)
}

func (p Portrait) keys() string {
	k := p.Keys
	switch {
	case k.Writes == 0:
		return ""
	case k.Keyed == 0 && len(k.Headers) == 0:
		return fmt.Sprintf("none, on %s", several(k.Writes, "write"))
	}
	s := fmt.Sprintf("%s on %d of %s", join(k.Headers), k.Keyed, several(k.Writes, "write"))
	switch {
	case k.Retried == 0:
		return s + "; none of them retried"
	case k.Changed > 0:
		return s + fmt.Sprintf("; another key in a later attempt of %d of %d", k.Changed, k.Retried)
	}
	return s + ", the same on every attempt"
}

func (p Portrait) timer() string {
	if p.Timer.Attempts == 0 {
		return ""
	}
	return fmt.Sprintf("gives an attempt up after %s (%s)", show(p.Timer.Median), several(p.Timer.Attempts, "attempt"))
}

func (p Portrait) hedges() string {
	if p.Hedges.Operations == 0 {
		return ""
	}
	return fmt.Sprintf("sends another attempt after %s without an answer (%s)", show(p.Hedges.Median), several(p.Hedges.Operations, "operation"))
}

func (p Portrait) hidden() string {
	h := p.Hidden
	switch {
	case h.Beyond > 0:
		return fmt.Sprintf("repeats requests by itself: %d came beyond the one attempt that was asked for", h.Beyond)
	case h.Lost == 0:
		return ""
	}
	return fmt.Sprintf("%d of %d requests that were lost on a kept connection came again at once", h.AtOnce, h.Lost)
}

func (p Portrait) budget() string {
	b := p.Budget
	if b.Operations == 0 {
		return ""
	}
	s := fmt.Sprintf("%.2g retries for each operation of a lasting outage", b.Ratio)
	if b.HeldBack == 0 && b.Unsent == 0 {
		return "none: " + s
	}
	return fmt.Sprintf("%s; of %d, %d were held back before their last attempt, and %d were never sent", s, b.Operations, b.HeldBack, b.Unsent)
}

func (p Portrait) says() string {
	var words []string
	for _, o := range []drive.Outcome{drive.OK, drive.Failed, drive.Unknown, drive.Error} {
		if n := p.Outcomes[o]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, o))
		}
	}
	return join(words)
}

func join(words []string) string { return strings.Join(words, ", ") }

func joinInts(ns []int) string {
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// show rounds a length of time to what people read.
func show(s clock.Span) string {
	d := time.Duration(s)
	switch {
	case d < time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// several counts things: 1 attempt, 2 attempts.
func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
