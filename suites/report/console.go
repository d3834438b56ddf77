package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/brownout-dev/brownout/suites"
)

// Console writes a report for people.
type Console struct {
	Out   io.Writer
	Color bool
}

// mark is the sign that stands before a result, and the colour of both (ECMA-48, 8.3.117).
func mark(r suites.Result) (sign, color string) {
	switch r {
	case suites.Pass:
		return "✓", "32"
	case suites.Fail:
		return "✗", "31;1"
	case suites.Warn:
		return "!", "33"
	case suites.Observed:
		return "·", "36"
	case suites.Inconclusive:
		return "?", "35"
	case suites.Broken:
		return "☠", "31;1"
	}
	return "–", "2" // nothing was found out
}

func (c Console) paint(r suites.Result, s string) string {
	if !c.Color {
		return s
	}
	_, color := mark(r)
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// sign is the painted sign of a result.
func (c Console) sign(r suites.Result) string {
	sign, _ := mark(r)
	return c.paint(r, sign)
}

// Write writes the whole report: how the client was seen to behave, a line per rule, what was found in full, and a summary.
func (c Console) Write(r Report) {
	c.portrait(r)
	family := suites.Family("")
	for _, e := range r.Rules {
		if e.Family != family {
			family = e.Family
			fmt.Fprintf(c.Out, "\n%s\n", family.Title())
		}
		c.line(e)
	}
	for _, e := range r.Rules {
		if len(e.Findings) > 0 && e.Accepted == "" {
			c.finding(e)
		}
	}
	if i := slices.IndexFunc(r.Rules, func(e Entry) bool { return e.Result == suites.Broken }); i >= 0 {
		c.trouble(r.Rules[i])
	}
	c.summary(r)
}

// traitWidth fits the longest trait.
const traitWidth = len("attempt timer")

// portrait tells how the client was seen to behave, what it claims, and which of its claims that contradicts.
func (c Console) portrait(r Report) {
	fmt.Fprintln(c.Out, "\nportrait")
	trait := func(name, says string) { fmt.Fprintf(c.Out, "    %-*s  %s\n", traitWidth, name, Harmless(says)) }
	for _, l := range r.Portrait.Lines() {
		trait(l.Trait, l.Says)
	}
	if claims := r.Client.Claims.Spell(); len(claims) > 0 {
		trait("claims", strings.Join(claims, ", "))
	}
	for _, x := range r.Portrait.Contradict {
		fmt.Fprintf(c.Out, "  %s %-*s  %s; seen: %s\n", c.sign(suites.Warn), traitWidth, "contradicted", Harmless(x.Claim), Harmless(x.Seen))
	}
}

// trouble tells in full why a rule could not be judged, the last words of the adapter included. One rule stands for all: the reason is
// mostly the same.
func (c Console) trouble(e Entry) {
	fmt.Fprintf(c.Out, "\n%s %s  could not be judged\n", c.sign(e.Result), c.paint(e.Result, string(e.ID)))
	for line := range strings.Lines(e.Detail) {
		fmt.Fprintf(c.Out, "  %s\n", Harmless(strings.TrimRight(line, "\r\n")))
	}
	fmt.Fprintf(c.Out, "  again    %s\n", Harmless(e.Reproduce))
}

// resultWidth fits the longest result word, so that statements stand in a column.
const resultWidth = len("inconclusive")

func (c Console) line(e Entry) {
	fmt.Fprintf(c.Out, "  %s %s %-5s %s\n", c.sign(e.Result), c.paint(e.Result, fmt.Sprintf("%-*s", resultWidth, e.Result)), e.ID, e.Statement)
	remark := func(s string) { fmt.Fprintf(c.Out, "      %s\n", shorten(plain(s), 160)) }
	if e.Detail != "" && len(e.Findings) == 0 {
		remark(e.Detail)
	}
	if len(e.Rates) > 0 {
		remark(rates(e.Rates))
	}
	if e.Accepted != "" {
		remark("known: " + e.Accepted)
	}
	if e.Stale != "" {
		remark("stale: " + e.Stale)
	}
}

// rates tells how often a rule had which result, and between which rates that lies in the long run.
func rates(of map[suites.Result]suites.Rate) string {
	var words []string
	for _, result := range suites.Results() {
		if r := of[result]; r.Times > 0 {
			words = append(words, fmt.Sprintf("%s %d of %d (%.0f to %.0f %%)", result, r.Times, r.Of, 100*r.Low, 100*r.High))
		}
	}
	return strings.Join(words, ", ")
}

// finding tells one broken rule in full: what was needed, what was seen, the story of one operation, why it matters, how to see it again.
func (c Console) finding(e Entry) {
	f := e.Findings[0]
	fmt.Fprintf(c.Out, "\n%s %s  %s   %s\n", c.sign(e.Result), c.paint(e.Result, string(e.ID)), e.Statement, e.Level)
	if e.Result == suites.Inconclusive {
		fmt.Fprintf(c.Out, "  doubt    %s\n", plain(e.Detail))
	}
	if e.By != "" {
		fmt.Fprintf(c.Out, "  by       %s\n", e.By)
	}
	if f.Case != "" {
		fmt.Fprintf(c.Out, "  case     %s\n", Harmless(f.Case))
	}
	fmt.Fprintf(c.Out, "  needed   %s\n  seen     %s\n", plain(f.Needed), shorten(plain(f.Seen), mostSeen))
	if op, ok := e.ops[string(f.Operation)]; ok {
		timeline(c.Out, op)
	}
	if more := others(e); more != "" {
		fmt.Fprintf(c.Out, "  also     %s\n", Harmless(more))
	}
	fmt.Fprintf(c.Out, "  why      %s\n  source   %s\n  more     brownout explain %s\n  again    %s\n", e.Why, e.Source, e.ID, Harmless(e.Reproduce))
}

// mostSeen is how much of what was seen is told, in letters: a few lines of a terminal. The report has it whole.
const mostSeen = 400

// mostCases is how many further cases of a finding are named.
const mostCases = 6

// others names the further cases in which a rule does not hold, with the number of operations.
func others(e Entry) string {
	var names []string
	n := map[string]int{}
	for _, f := range e.Findings {
		if n[f.Case]++; n[f.Case] == 1 {
			names = append(names, f.Case)
		}
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == e.Findings[0].Case && n[s] == 1 || s == "" })
	more := ""
	if len(names) > mostCases {
		if more = " and 1 more case"; len(names) > mostCases+1 {
			more = fmt.Sprintf(" and %d more cases", len(names)-mostCases)
		}
		names = names[:mostCases]
	}
	for i, name := range names {
		if n[name] > 1 {
			names[i] = fmt.Sprintf("%s (%d findings)", name, n[name])
		}
	}
	return strings.Join(names, "; ") + more
}

func (c Console) summary(r Report) {
	var counts []string
	for _, result := range suites.Results() {
		if n := r.Summary[result]; n > 0 {
			counts = append(counts, c.paint(result, fmt.Sprintf("%d %s", n, result)))
		}
	}
	verdict := map[suites.Outcome]suites.Result{suites.Conformant: suites.Pass, suites.NotConformant: suites.Fail, suites.Undecided: suites.Inconclusive}[r.Verdict]
	c.profiles(r)
	if n := among(r, func(e Entry) bool { return e.Accepted != "" }); n > 0 {
		counts = append(counts, fmt.Sprintf("%d of them known", n))
	}
	if n := among(r, func(e Entry) bool { return e.Stale != "" }); n > 0 {
		counts = append(counts, fmt.Sprintf("%d stale in the baseline", n))
	}
	fmt.Fprintf(c.Out, "\n%s is %s: %s\n", Harmless(r.Client.Name), c.paint(verdict, string(r.Verdict)), strings.Join(counts, ", "))
}

// among counts the rules of a report of which something is true.
func among(r Report, is func(Entry) bool) (n int) {
	for _, e := range r.Rules {
		if is(e) {
			n++
		}
	}
	return n
}

// profiles tells how the client stands to each profile that was judged as a whole.
func (c Console) profiles(r Report) {
	if len(r.Profiles) == 0 {
		return
	}
	fmt.Fprintln(c.Out, "\nprofiles")
	for _, s := range r.Profiles {
		like := map[suites.Grade]suites.Result{suites.Success: suites.Pass, suites.Partial: suites.Warn, suites.Failure: suites.Fail, suites.Untested: suites.NotTested}[s.Grade]
		fmt.Fprintf(c.Out, "  %s %s %-9s  %s\n", c.sign(like), c.paint(like, fmt.Sprintf("%-*s", resultWidth, s.Grade)), s.Profile, s.Detail)
	}
}
