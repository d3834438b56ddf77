package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/report"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func checkCommand() *cobra.Command {
	var patterns []string
	var strict bool
	c := &cobra.Command{
		Use:   "check TRANSCRIPT…",
		Short: "Judge saved transcripts again",
		Long: `Judge saved transcripts again: files, or the folder of a report. Of a report the same rules are judged as by the run that saved it, as
strictly, and the exit status is that of the run.`,
		Args: takes(1, -1),
		RunE: func(c *cobra.Command, paths []string) error {
			defer outliveReaders()()
			saved, err := report.Load(paths)
			if err != nil {
				return cannotJudge(err)
			}
			rules, err := toJudge(saved, patterns)
			if err != nil {
				return err
			}
			j := suites.Judgement{Verdicts: suites.Settle(rules, clientOf(saved), saved.First, saved.Again), Transcripts: values(saved.First), Again: values(saved.Again)}
			of := j.Transcripts[0]
			subject := report.Subject{Client: of.Client, Seed: of.Seed, Args: namedAgain(of.Client.Name), Version: version(), Strict: strict}
			if asked := saved.Asked; asked != nil {
				subject.Args, subject.Strict, j.Interrupted = asked.Args, strict || asked.Strict, asked.Interrupted
			}
			r := report.New(subject, rules, j)
			report.Console{Out: c.OutOrStdout(), Color: colourful(c.OutOrStdout())}.Write(r)
			if j.Interrupted {
				return cannotJudge(errors.New("the run that saved this was interrupted: what was judged by then is shown above"))
			}
			return verdictCode(r.Verdict)
		},
	}
	c.Flags().StringSliceVar(&patterns, "rules", nil, "ids or patterns of the rules to judge (default: those of the report, or all that the transcripts allow)")
	c.Flags().BoolVar(&strict, "strict", false, "a broken SHOULD is not conformant either")
	return c
}

// toJudge selects rules: those that match the patterns; without any, those of the report; without one, all that the transcripts allow.
func toJudge(saved report.Saved, patterns []string) ([]suites.Rule, error) {
	all := suites.Rules()
	for name := range saved.First {
		if !slices.ContainsFunc(all, func(r suites.Rule) bool { return r.Under == name }) {
			return nil, cannotJudge(fmt.Errorf("no rule is judged under scenario %q", name))
		}
	}
	if len(patterns) == 0 && saved.Asked != nil {
		return those(all, saved.Asked.Rules)
	}
	rules, err := suites.Select(all, patterns)
	if err != nil {
		return nil, err
	}
	rules = slices.DeleteFunc(rules, func(r suites.Rule) bool { _, ok := saved.First[r.Under]; return !ok })
	if len(rules) == 0 {
		return nil, cannotJudge(errors.New("none of the selected rules is judged by these transcripts"))
	}
	return rules, nil
}

// those selects rules by their ids. One that is not known here was part of the run's verdict, and cannot be left out of it.
func those(all []suites.Rule, ids []suites.RuleID) ([]suites.Rule, error) {
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(r suites.Rule) bool { return r.ID == id }) {
			return nil, cannotJudge(fmt.Errorf("the report has a rule %q, which this version does not know: want the version that wrote it, or --rules", id))
		}
	}
	return slices.DeleteFunc(all, func(r suites.Rule) bool { return !slices.Contains(ids, r.ID) }), nil
}

// clientOf is what the client said of itself. All transcripts are of one client.
func clientOf(saved report.Saved) drive.Hello {
	for _, t := range saved.First {
		return t.Client
	}
	return drive.Hello{}
}

// namedAgain is how a client is named on a command line, where only its transcripts are known.
func namedAgain(client string) string {
	if slices.ContainsFunc(clients.All(), func(b clients.Bundled) bool { return b.Name == client }) {
		return "--client " + client
	}
	return "--exec -- …"
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
