package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/report"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func checkCommand() *cobra.Command {
	var patterns []string
	var strict bool
	c := &cobra.Command{
		Use:   "check TRANSCRIPT…",
		Short: "Judge saved transcripts again",
		Long:  "Judge saved transcripts again: files, or the folder of a report. The verdicts are those of the run that saved them.",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			rules, err := suites.Select(suites.Rules(), patterns)
			if err != nil {
				return err
			}
			first, again, err := report.Load(paths)
			if err != nil {
				return cannotJudge(err)
			}
			rules = slices.DeleteFunc(rules, func(r suites.Rule) bool { _, ok := first[r.Under]; return !ok })
			if len(rules) == 0 {
				return cannotJudge(errors.New("none of the selected rules is judged by these transcripts"))
			}
			j := suites.Judgement{Verdicts: suites.Settle(rules, first, again), Transcripts: values(first), Again: values(again)}
			of := j.Transcripts[0]
			r := report.New(report.Subject{Client: of.Client, Seed: of.Seed, Version: version(), Strict: strict}, rules, j)
			report.Console{Out: c.OutOrStdout(), Color: colourful(c.OutOrStdout())}.Write(r)
			return verdictCode(r.Verdict)
		},
	}
	c.Flags().StringSliceVar(&patterns, "rules", nil, "ids or patterns of the rules to judge (default: all that the transcripts allow)")
	c.Flags().BoolVar(&strict, "strict", false, "a broken SHOULD is not conformant either")
	return c
}

func values(ts map[scenarios.Name]transcript.Transcript) []transcript.Transcript {
	var all []transcript.Transcript
	for _, t := range ts {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b transcript.Transcript) int {
		if a.Scenario < b.Scenario {
			return -1
		}
		return 1
	})
	return all
}
