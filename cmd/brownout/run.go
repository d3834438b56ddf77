package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/faults/wire"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/report"
)

type runFlags struct {
	client string
	exec   bool
	claims string
	rules  []string
	jobs   int
	seed   uint64
	strict bool
	report string
	listen string
}

func runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [--client NAME | --exec -- command argument…]",
		Short: "Judge a client",
		Long: `Judge a client: drive it through the scenarios of the rules, judge what the fake dependency saw of it, and play whatever was not held
again, alone.

Exit status: 0 conformant, 1 not conformant, 2 could not judge, 3 wrong usage.`,
		Example: `  brownout run --client curl --report out
  brownout run --exec --claims shop.claims.yaml -- ./shop.sh
  brownout run --client steady --rules 'RT-*,RA-01' --seed 7`,
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
	flags.StringVar(&f.claims, "claims", "", "YAML or JSON file with the features and claims of an exec client")
	flags.StringSliceVar(&f.rules, "rules", nil, "ids or patterns of the rules to judge, such as 'RT-*,RA-07' (default: all)")
	flags.IntVar(&f.jobs, "jobs", suites.DefaultJobs, "plays at once")
	flags.Uint64Var(&f.seed, "seed", 0, "what chance depends on (default: a fresh one, which is shown)")
	flags.BoolVar(&f.strict, "strict", false, "a broken SHOULD is not conformant either")
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
	if f.jobs < 1 {
		return fmt.Errorf("--jobs %d: want 1 or more", f.jobs)
	}
	rules, err := suites.Select(suites.Rules(), f.rules)
	if err != nil {
		return err
	}
	carrier, args, err := f.carrier(argv)
	if err != nil {
		return err
	}
	if f.listen != "" {
		if err := loopbackOnly(f.listen); err != nil {
			return err
		}
		f.jobs = 1
	}
	if f.report != "" {
		if err := report.Prepare(f.report); err != nil {
			return cannotJudge(err)
		}
	}
	screen := newScreen(c.ErrOrStderr())
	l, err := f.prove(c.Context(), carrier, screen)
	if err != nil {
		return cannotJudge(err)
	}
	judgement, err := suites.Run{Lab: l, Rules: rules, Jobs: f.jobs, Progress: screen.played}.Do(c.Context())
	screen.clear()
	if err != nil {
		return cannotJudge(err)
	}
	subject := report.Subject{Client: carrier.Hello(), Seed: f.seed, Args: args, Version: version(), Strict: f.strict}
	r := report.New(subject, rules, judgement)
	report.Console{Out: c.OutOrStdout(), Color: colourful(c.OutOrStdout())}.Write(r)
	if f.report != "" {
		if err := r.WriteFiles(f.report, rules, judgement, f.strict); err != nil {
			return cannotJudge(fmt.Errorf("the report could not be written: %w", err))
		}
		fmt.Fprintln(c.OutOrStdout(), "report:", f.report)
	}
	if judgement.Interrupted {
		return cannotJudge(errors.New("interrupted: what was judged by then is shown above"))
	}
	return verdictCode(r.Verdict)
}

// prove finds out whether machine and adapter can be trusted before anything is judged: a reset is a reset, and a plain call works.
func (f runFlags) prove(ctx context.Context, carrier drive.Carrier, screen *screen) (lab.Lab, error) {
	l := lab.Real(carrier, f.seed)
	l.Addr = f.listen
	if err := wire.SelfTest(ctx, l.Network); err != nil {
		return l, fmt.Errorf("this machine's network cannot be judged on: %w", err)
	}
	calibration, err := drive.Probe(ctx, carrier, l.Network)
	if err != nil {
		return l, err
	}
	l.Overhead = calibration.Overhead
	screen.say("judging %s with seed %d; its adapter takes up to %s of its own", carrier.Hello().Name, f.seed, l.Overhead)
	return l, nil
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

// carrier finds the client, and the words that name it on a command line.
func (f runFlags) carrier(argv []string) (drive.Carrier, string, error) {
	switch {
	case f.client != "" && f.exec:
		return nil, "", errors.New("--client and --exec: want one of them")
	case f.client != "" && len(argv) > 0:
		return nil, "", fmt.Errorf("%q: --client takes no command; want --exec -- command", argv[0])
	case f.client != "" && f.claims != "":
		return nil, "", errors.New("--claims: bundled clients bring their own claims; want --exec -- command with it")
	case f.client != "":
		carrier, err := bundled(f.client)
		return carrier, "--client " + f.client, err
	case !f.exec:
		return nil, "", errors.New("no client: want --client NAME, or --exec -- command argument…")
	case len(argv) == 0:
		return nil, "", errors.New("--exec: want the client's command after --")
	}
	hello, args := drive.Hello{}, "--exec"
	if f.claims != "" {
		var err error
		if hello, err = drive.LoadClaims(f.claims); err != nil {
			return nil, "", err
		}
		args += " --claims " + shellWord(f.claims)
	}
	carrier, err := drive.Exec(hello, argv, drive.ExecOptions{})
	args += " --"
	for _, a := range argv {
		args += " " + shellWord(a)
	}
	return carrier, args, err
}

// shellWord quotes a word where a shell would take it apart.
func shellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@%", r))
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// loopbackOnly refuses an address that other machines could reach: the fake asks nobody who they are.
func loopbackOnly(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--listen %q: want a loopback address and a port, such as 127.0.0.1:8080", addr)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("--listen %q: want a loopback address, such as 127.0.0.1:8080: the fake answers everybody who can reach it", addr)
	}
	return nil
}
