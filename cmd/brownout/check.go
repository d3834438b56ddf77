package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
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
	var chosen selection
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
			rules, err := toJudge(saved, &chosen)
			if err != nil {
				return err
			}
			var runs []suites.Judgement
			for _, run := range saved.Runs {
				runs = append(runs, judged(rules, run, saved.Asked))
			}
			r := report.New(subject(saved, chosen, strict), rules, runs...)
			report.Console{Out: c.OutOrStdout(), Color: colourful(c.OutOrStdout())}.Write(r)
			if r.Interrupted {
				return cannotJudge(errors.New("the run that saved this was interrupted: what was judged by then is shown above"))
			}
			return verdictCode(r.Verdict)
		},
	}
	chosen.flags(c.Flags(), "to judge (default: those of the report, or all that the transcripts allow)")
	c.Flags().BoolVar(&strict, "strict", false, "a broken SHOULD is not conformant either")
	return c
}

// subject says what was judged: by the report, or by the transcripts alone.
func subject(saved report.Saved, chosen selection, strict bool) report.Subject {
	by, _, _ := chosen.parsed() // which toJudge has read already
	s := report.Subject{Version: version(), Strict: strict, HintRule: by}
	if some := values(saved.Runs[0].First); len(some) > 0 {
		s.Client, s.Seed = some[0].Client, some[0].Seed
		s.Args = again(by) + namedAgain(s.Client.Name)
	}
	if asked := saved.Asked; asked != nil {
		s.Args, s.Seed, s.Strict, s.Baseline = asked.Args, asked.Seed, strict || asked.Strict, asked.Baseline
	}
	return s
}

// judged judges one run as it was judged when it was played.
func judged(rules []suites.Rule, run report.Plays, asked *report.Asked) suites.Judgement {
	first := values(run.First)
	j := suites.Judgement{Transcripts: first, Again: values(run.Again), Interrupted: asked != nil && asked.Interrupted}
	var client drive.Hello
	if len(first) > 0 {
		client = first[0].Client
	}
	j.Verdicts = suites.Settle(rules, client, run.First, run.Again)
	if j.Interrupted {
		j.Verdicts = suites.Unconfirmed(rules, j.Verdicts, run.Again)
	}
	return j
}

// toJudge selects rules: those that were chosen; without a choice, those of the report; without one, all that the transcripts allow. A variant
// of the report's counts, unless another one was chosen.
func toJudge(saved report.Saved, chosen *selection) ([]suites.Rule, error) {
	all, played := suites.Rules(), map[scenarios.Name]bool{}
	for _, run := range saved.Runs {
		for name := range run.First {
			if played[name] = true; !slices.ContainsFunc(all, func(r suites.Rule) bool { return r.Under == name }) {
				return nil, cannotJudge(fmt.Errorf("no rule is judged under scenario %q", name))
			}
		}
	}
	chose := len(chosen.patterns)+len(chosen.profiles) > 0
	if asked := saved.Asked; asked != nil && len(chosen.profiles) == 0 && asked.HintRule != suites.ByRFC {
		chosen.profiles = []string{string(suites.Full) + ":" + string(asked.HintRule)}
	}
	rules, by, err := chosen.of(all)
	if err != nil {
		return nil, err
	}
	if !chose && saved.Asked != nil {
		rules, err := those(all, saved.Asked.Rules)
		return by.Apply(rules), err
	}
	rules = slices.DeleteFunc(rules, func(r suites.Rule) bool { return !played[r.Under] })
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

// namedAgain is how a client is named on a command line, where only its transcripts are known.
func namedAgain(client string) string {
	if _, err := clients.Named(client); err == nil {
		return "--client " + client
	}
	return "--exec -- …"
}

// values gives transcripts by the names of their scenarios.
func values(ts map[scenarios.Name]transcript.Transcript) []transcript.Transcript {
	return slices.SortedFunc(maps.Values(ts), func(a, b transcript.Transcript) int { return cmp.Compare(a.Scenario, b.Scenario) })
}
