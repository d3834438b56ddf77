package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/mutants"
)

// listed is a rule in "brownout rules --json".
type listed struct {
	ID        suites.RuleID  `json:"id"`
	Level     suites.Level   `json:"level"`
	Family    suites.Family  `json:"family"`
	Statement string         `json:"statement"`
	Source    string         `json:"source"`
	Profile   suites.Profile `json:"profile"`
	Scenario  string         `json:"scenario"`
	Mutants   []string       `json:"mutants"`
}

func rulesCommand() *cobra.Command {
	var asJSON bool
	var chosen selection
	c := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			rules, _, err := chosen.of(suites.Rules())
			if err != nil {
				return err
			}
			var all []listed
			for _, r := range rules {
				all = append(all, listed{r.ID, r.Level, r.Family, r.Says, r.Source, r.Profile, string(r.Under), killedBy(r.ID)})
			}
			if asJSON {
				e := json.NewEncoder(c.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(all)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, r := range all {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, r.Level, r.Profile, r.Statement)
			}
			return w.Flush()
		},
	}
	chosen.flags(c.Flags(), "to list (default: all)")
	c.Flags().BoolVar(&asJSON, "json", false, "with sources, scenarios and mutants, as JSON")
	return c
}

// killedBy names the mutants that the rule catches.
func killedBy(id suites.RuleID) []string {
	names := []string{}
	for _, m := range mutants.Tripping(string(id)) {
		names = append(names, m.Name)
	}
	return names
}
