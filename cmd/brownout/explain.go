package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/mutants"
)

func explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE…",
		Short: "Say what a rule requires, why, and how it is tested",
		Long: `Say what a rule requires and where that is written, what goes wrong in production without it, how clients get it right, what the fake
dependency does to find out, and which broken clients the rule is known to catch.`,
		Example: "  brownout explain RT-08",
		Args:    takes(1, -1),
		RunE: func(c *cobra.Command, ids []string) error {
			rules, err := suites.Select(suites.Rules(), ids)
			if err != nil {
				return err
			}
			for _, r := range rules {
				if err := explain(c.OutOrStdout(), r); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// textWidth is where explanations are broken, for terminals of the usual width.
const textWidth = 96

func explain(w io.Writer, r suites.Rule) error {
	s, err := scenarios.Named(r.Under)
	if err != nil {
		return cannotJudge(err)
	}
	fmt.Fprintf(w, "%s  %s  (%s, profile %s)\n\n%s\n\n", r.ID, r.Level, r.Family.Title(), r.Profile, wrap("  ", r.Says))
	fmt.Fprintf(w, "What goes wrong\n%s\n\nHow clients get it right\n%s\n\n", wrap("  ", r.Why), wrap("  ", r.Right))
	fmt.Fprintf(w, "How it is tested: scenario %s\n%s\n", s.Name, wrap("  ", s.Says))
	for _, c := range s.Connections {
		fmt.Fprintf(w, "    %s: %s\n", connections(c.Number), c.Fault)
	}
	for _, c := range s.Cases {
		fmt.Fprintf(w, "    %s: %s, %s\n", c.Name, c.Request, meets(c))
	}
	fmt.Fprintf(w, "  brownout scenario show %s has its deadlines and numbers.\n", s.Name)
	fmt.Fprintf(w, "\nSource\n%s\n", wrap("  ", r.Source))
	for _, by := range suites.HintRules() {
		if other := by.Apply([]suites.Rule{r})[0]; other.By != "" {
			fmt.Fprintf(w, "\nWith --profile %s:%s\n%s\n", r.Profile, by, wrap("  ", other.By))
		}
	}
	fmt.Fprintln(w, "\nDefects that it is known to catch, in clients that are broken on purpose")
	for _, m := range mutants.Tripping(string(r.ID)) {
		fmt.Fprintln(w, wrap("  ", m.Name+": "+m.Defect))
	}
	fmt.Fprintln(w)
	return nil
}

// connections names those that a fault strikes, by their number.
func connections(number int) string {
	if number == 0 {
		return "every connection"
	}
	return fmt.Sprintf("connection %d", number)
}

// meets says what the attempts of a case meet.
func meets(c scenarios.Case) string {
	switch {
	case c.Origin == scenarios.ClosedOrigin:
		return "where nobody listens"
	case len(c.Script.Steps) == 0:
		return "sound"
	}
	return c.Script.String()
}

// wrap breaks a text into lines that begin with the indent.
func wrap(indent, text string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		switch {
		case column == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+len(word) > textWidth:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
