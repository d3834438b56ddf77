package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// takes checks how many arguments a command gets, and says what it wants; most < 0 means any number.
func takes(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		form := c.Parent().CommandPath() + " " + c.Use
		switch {
		case len(args) < least:
			return fmt.Errorf("something is missing: want %s", form)
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%q is too much: want %s", args[most], form)
		}
		return nil
	}
}

// onlyParts is what a command does that consists of others: without one of them it shows them, and refuses one that it does not have.
func onlyParts(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	var parts []string
	for _, part := range c.Commands() {
		if part.IsAvailableCommand() {
			parts = append(parts, part.Name())
		}
	}
	return fmt.Errorf("unknown command %q for %q: want one of %s", args[0], c.CommandPath(), strings.Join(parts, ", "))
}

// helpCommand is cobra's, but for what it does with a command that does not exist: that is wrong usage.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return onlyParts(c, rest)
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	}
}

// wrongFlag says of a flag what would be right, in words that are not those of Go's parsers.
func wrongFlag(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &value):
		return fmt.Errorf("--%s %q: want %s", value.GetFlag().Name, value.GetValue(), kind(value.GetFlag().Value.Type()))
	case errors.As(err, &unknown) && c.Flags().Changed("exec"):
		return fmt.Errorf("%w; if it is the client's, want -- before the client's command", err)
	}
	return err
}

// kind says which values a flag takes, by the name of its type.
func kind(of string) string {
	switch of {
	case "int", "int64":
		return "a whole number"
	case "uint", "uint64":
		return "a whole number that is not below zero"
	case "bool":
		return "true or false"
	case "stringSlice":
		return "values with commas between them"
	case "duration":
		return "a duration such as 300ms or 2s"
	}
	return "a " + of
}

// nothingEmpty refuses flags whose value is empty. It is mostly a variable that was not set: to take it for the default would judge
// something else than was meant.
func nothingEmpty(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if value := f.Value.String(); slices.Contains([]string{"", "[]"}, value) && err == nil {
			err = fmt.Errorf("--%s is empty: want a value, or no --%s at all", f.Name, f.Name)
		}
	})
	return err
}
