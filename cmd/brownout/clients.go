package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/drive"
)

func clientsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "clients",
		Short: "List the bundled clients",
		Args:  takes(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, b := range clients.All() {
				fmt.Fprintf(w, "%s\t%s\n", b.Name, b.Says)
			}
			return w.Flush()
		},
	}
}

// bundled finds a client that comes with the tool.
func bundled(name string) (drive.Carrier, error) {
	b, err := clients.Named(name)
	if err != nil {
		return nil, err
	}
	carrier, err := b.Carrier()
	if err != nil {
		return nil, cannotJudge(err)
	}
	return carrier, nil
}
