package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/faults/wire"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/report"
)

type runFlags struct {
	client   string
	exec     bool
	jsonl    bool
	claims   string
	claim    []string
	feature  []string
	rules    selection
	jobs     int
	seed     uint64
	strict   bool
	once     bool
	repeat   int
	baseline string
	report   string
	listen   string
}

func runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [--client NAME | --exec -- command argument… | --jsonl -- command argument…]",
		Short: "Judge a client",
		Long: `Judge a client: drive it through the scenarios of the rules, judge what the fake dependency saw of it, and play whatever was not
held again.

Exit status: 0 conformant, 1 not conformant, 2 could not judge, 3 wrong usage.`,
		Example: `  brownout run --client curl --report out
  brownout run --exec --claims shop.claims.yaml -- ./shop.sh
  brownout run --jsonl -- python3 shop_jsonl.py
  brownout run --client steady --rules 'RT-*,RA-01' --seed 7
  brownout run --profile polite --feature retries --claim max_attempts=4 --claim jitter=full --exec -- ./shop.sh`,
		RunE: func(c *cobra.Command, argv []string) error {
			if !c.Flags().Changed("seed") {
				f.seed = freshSeed()
			}
			return f.run(c, argv)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.client, "client", "", "a bundled client; brownout clients lists them")
	flags.BoolVar(&f.exec, "exec", false, "start the command after -- once for each operation")
	flags.BoolVar(&f.jsonl, "jsonl", false, "start the command after -- once for each play, and talk to it in lines of JSON")
	flags.StringVar(&f.claims, "claims", "", "YAML or JSON file with the features and claims of an exec client")
	flags.StringArrayVar(&f.claim, "claim", nil, "a claim of the client, over what it says itself, such as max_attempts=4 or budget.ratio=0.1; may be given again")
	flags.StringArrayVar(&f.feature, "feature", nil, "a feature of the client, beside those that it declares itself, such as retries; may be given again")
	f.rules.flags(flags, "to judge, such as 'RT-*,RA-07' (default: all)")
	flags.IntVar(&f.jobs, "jobs", suites.DefaultJobs, "plays at once")
	flags.Uint64Var(&f.seed, "seed", 0, "what chance depends on (default: a fresh one, which is shown)")
	flags.BoolVar(&f.strict, "strict", false, "a broken SHOULD is not conformant either")
	flags.BoolVar(&f.once, "once", false, "do not play again what was not held: quicker, but then the machine may be to blame")
	flags.IntVar(&f.repeat, "repeat", 1, "play everything so many times, with seeds that follow each other, and tell how often each rule held; the worst verdict counts")
	flags.StringVar(&f.baseline, "baseline", "", "YAML file with the failures that are known, such as 'RT-10: {result: fail, reason: ...}'; others fail, and so do entries that are not true any more")
	flags.StringVar(&f.report, "report", "", "folder for report.json, junit.xml and transcripts")
	flags.StringVar(&f.listen, "listen", "", "loopback address for the fake, such as 127.0.0.1:8080, for a client whose URL is fixed; plays then run one by one")
	return c
}

// freshSeed is short enough to be typed again.
func freshSeed() uint64 {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return 1
	}
	return n.Uint64() + 1
}

func (f runFlags) run(c *cobra.Command, argv []string) error {
	defer outliveReaders()()
	rules, carrier, subject, err := f.asked(c.Context(), argv)
	if err != nil {
		return err
	}
	if f.report != "" {
		release, err := report.Prepare(f.report)
		if err != nil {
			return cannotJudge(err)
		}
		defer release()
	}
	screen := newScreen(c.ErrOrStderr())
	l, err := f.prove(c.Context(), carrier, screen)
	if err != nil {
		return cannotJudge(err)
	}
	runs, err := f.play(c.Context(), suites.Run{Lab: l, Rules: rules, Jobs: f.jobs, Once: f.once, Progress: screen.played}, screen)
	if err != nil {
		return cannotJudge(err)
	}
	return f.tell(c.OutOrStdout(), report.New(subject, rules, runs...), rules)
}

// play plays everything once, or as often as it was asked for.
func (f runFlags) play(ctx context.Context, run suites.Run, screen *screen) (all []suites.Judgement, err error) {
	for n := range f.repeat {
		if f.repeat > 1 {
			screen.say("run %d of %d, with seed %d", n+1, f.repeat, run.Lab.Seed)
		}
		j, err := run.Do(ctx)
		screen.clear()
		if err != nil {
			return nil, err
		}
		if all = append(all, j); j.Interrupted {
			break
		}
		run.Lab.Seed++
	}
	return all, nil
}

// asked reads the command line: which rules, which client, and how both are said again.
func (f *runFlags) asked(ctx context.Context, argv []string) (rules []suites.Rule, _ drive.Carrier, subject report.Subject, err error) {
	for flag, n := range map[string]int{"jobs": f.jobs, "repeat": f.repeat} {
		if n < 1 {
			return nil, nil, subject, fmt.Errorf("--%s %d: want 1 or more", flag, n)
		}
	}
	if f.listen != "" {
		if err := loopbackOnly(f.listen); err != nil {
			return nil, nil, subject, err
		}
		f.jobs = 1
	}
	if rules, subject.HintRule, err = f.rules.of(suites.Rules()); err != nil {
		return nil, nil, subject, err
	}
	if f.baseline != "" {
		if subject.Baseline, err = suites.ReadBaseline(f.baseline, suites.Rules()); err != nil {
			return nil, nil, subject, wrongFile(err)
		}
	}
	carrier, args, err := f.carrier(ctx, argv)
	if err != nil {
		return nil, nil, subject, err
	}
	if f.listen != "" {
		args = "--listen " + f.listen + " " + args
	}
	if f.strict {
		args = "--strict " + args
	}
	subject.Args = again(subject.HintRule) + args
	subject.Client, subject.Seed, subject.Version, subject.Strict = carrier.Hello(), f.seed, version(), f.strict
	return rules, carrier, subject, nil
}

// tell writes the report's files first: they are whole, whatever becomes of the screen.
func (f runFlags) tell(out io.Writer, r report.Report, rules []suites.Rule) error {
	var unwritten error
	if f.report != "" {
		unwritten = r.WriteFiles(f.report, rules)
	}
	report.Console{Out: out, Color: colourful(out)}.Write(r)
	switch {
	case unwritten != nil:
		return cannotJudge(fmt.Errorf("the report could not be written: %w", unwritten))
	case f.report != "":
		fmt.Fprintln(out, "report:", report.Harmless(f.report))
	}
	if r.Interrupted {
		return cannotJudge(errors.New("interrupted: what was judged by then is shown above"))
	}
	return verdictCode(r.Verdict)
}

// prove finds out whether machine and adapter can be trusted before anything is judged: the address is free, a reset is a reset, and a
// plain call works.
func (f runFlags) prove(ctx context.Context, carrier drive.Carrier, screen *screen) (lab.Lab, error) {
	l := lab.Real(carrier, f.seed)
	l.Addr = f.listen
	if err := f.vacant(l.Network); err != nil {
		return l, err
	}
	if err := wire.SelfTest(ctx, l.Network); err != nil {
		return l, beforeTime(ctx, fmt.Errorf("this machine's network cannot be judged on: %w", err))
	}
	calibration, err := drive.Probe(ctx, carrier, l.Network, cmp.Or(f.listen, "127.0.0.1:0"))
	if err != nil {
		return l, beforeTime(ctx, err)
	}
	l.Overhead = calibration.Overhead
	screen.say("judging %s with seed %d; its adapter takes up to %s of its own", report.Harmless(carrier.Hello().Name), f.seed, l.Overhead.Round(10*time.Microsecond))
	return l, nil
}

// vacant makes sure that the address which was asked for can be had.
func (f runFlags) vacant(n wire.Network) error {
	if f.listen == "" {
		return nil
	}
	port, err := n.Open(f.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w: want an address that nobody uses", err)
	}
	return port.Close()
}

// beforeTime is what an error means when ctx has ended: nothing is wrong but that.
func beforeTime(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("interrupted before anything was judged")
	}
	return err
}

func verdictCode(v suites.Outcome) error {
	switch v {
	case suites.Conformant:
		return nil
	case suites.NotConformant:
		return exitError{exitNotConformant, nil}
	}
	return exitError{exitCannotJudge, nil}
}
