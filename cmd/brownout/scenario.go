package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/scenarios"
)

func scenarioCommand() *cobra.Command {
	c := &cobra.Command{Use: "scenario", Short: "List, show and validate scenarios", RunE: onlyParts}
	c.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the scenarios", Args: takes(0, 0),
			RunE: func(c *cobra.Command, _ []string) error {
				all, err := scenarios.All()
				if err != nil {
					return cannotJudge(err)
				}
				w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
				for _, s := range all {
					fmt.Fprintf(w, "%s\t%s\n", s.Name, s.Says)
				}
				return w.Flush()
			},
		},
		&cobra.Command{
			Use: "show NAME", Short: "Show a scenario's YAML", Args: takes(1, 1),
			RunE: func(c *cobra.Command, args []string) error {
				s, err := scenarios.Named(scenarios.Name(args[0]))
				if err != nil {
					return fmt.Errorf("%w; brownout scenario list lists them", err)
				}
				fmt.Fprintln(c.OutOrStdout(), strings.TrimSpace(s.Text))
				return nil
			},
		},
		&cobra.Command{
			Use: "validate FILE…", Short: "Check scenario files", Args: takes(1, -1),
			RunE: func(c *cobra.Command, files []string) error {
				var unsound error
				for _, file := range files {
					s, err := scenarios.Read(file)
					if err != nil {
						unsound = errors.Join(unsound, err)
						continue
					}
					fmt.Fprintf(c.OutOrStdout(), "%s: %s, sound\n", file, s.Name)
				}
				if unsound != nil {
					return wrongFile(unsound)
				}
				return nil
			},
		},
	)
	return c
}
