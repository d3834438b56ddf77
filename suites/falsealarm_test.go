package suites_test

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/mutants"
)

// How often correct clients are judged by TestNoFalseAlarm. It is a campaign of its own (make alarms): TestVariantsAreNotMutants judges each once.
var (
	virtualRuns = flag.Int("virtual", 0, "runs of each correct client in virtual time, each with another seed")
	realRuns    = flag.Int("real", 0, "runs over real sockets, of the correct clients in turn")
	busyRuns    = flag.Int("busy", 0, "how many of the real runs have other work on every core")
)

// Correct clients are judged again and again, each time with other randomness on both sides. Whatever is found in one is a false alarm.
func TestNoFalseAlarm(t *testing.T) {
	if *virtualRuns+*realRuns == 0 {
		t.Skip("it takes half an hour: make alarms")
	}
	correct := correctClients(t)
	for name, carrier := range correct {
		if *virtualRuns == 0 {
			break
		}
		t.Run("virtual/"+name, func(t *testing.T) {
			t.Parallel()
			counts := map[suites.Result]int{}
			for seed := uint64(1000); seed < 1000+uint64(*virtualRuns); seed++ {
				synctest.Test(t, func(t *testing.T) {
					expectNoAlarm(t, suites.Run{Lab: lab.Virtual(carrier, seed), Rules: suites.Rules()}, counts)
				})
			}
			t.Logf("%d runs: %v", *virtualRuns, counts)
		})
	}
	names := inTurn(correct)
	for i := range *realRuns {
		t.Run(fmt.Sprintf("real/%d/%s", i+1, names[i%len(names)]), func(t *testing.T) {
			if i < *busyRuns {
				keepBusy(t)
			}
			counts := map[suites.Result]int{}
			expectNoAlarm(t, suites.Run{Lab: lab.Real(correct[names[i%len(names)]], uint64(i+1)), Rules: suites.Rules()}, counts)
			t.Log(counts)
		})
	}
}

// expectNoAlarm runs a judgement and adds its verdicts to counts.
func expectNoAlarm(t *testing.T, r suites.Run, counts map[suites.Result]int) {
	t.Helper()
	j, err := r.Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range j.Verdicts {
		counts[v.Result]++
		switch v.Result {
		case suites.Pass, suites.NotTested, suites.Unsupported:
		case suites.Inconclusive: // no verdict is no false one; how often that is, the counts tell
			t.Logf("seed %d: %s %s: %s", r.Lab.Seed, v.Rule, v.Result, v.Detail)
		default:
			t.Errorf("seed %d: %s %s: %s", r.Lab.Seed, v.Rule, v.Result, v.Detail)
		}
	}
}

// correctClients are the references and the variants, each with randomness that nobody can predict, so that a second play is another one.
func correctClients(t *testing.T) map[string]drive.Carrier {
	all := map[string]drive.Carrier{}
	for _, name := range clients.References() {
		all[name] = bundled(t, name)
	}
	for _, m := range mutants.Variants() {
		all[m.Name] = m.Carrier(0)
	}
	return all
}

// inTurn puts those names first that differ most from each other.
func inTurn(correct map[string]drive.Carrier) []string {
	names := append(clients.References(), "equal-jitter", "decorrelated-jitter", "no-retries", "slow-start")
	for _, n := range names {
		if correct[n] == nil {
			panic("no correct client is called " + n)
		}
	}
	return names
}

// burn is set in the environment of a process that has nothing else to do.
const burn = "BURN_A_CORE"

// keepBusy gives every core other work until the test is over.
func keepBusy(t *testing.T) {
	t.Helper()
	for range runtime.NumCPU() {
		work := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBurn$")
		work.Env = append(os.Environ(), burn+"=1")
		if err := work.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = work.Process.Kill(); _ = work.Wait() })
	}
}

func TestBurn(t *testing.T) {
	if os.Getenv(burn) == "" {
		t.Skip("only a child of TestNoFalseAlarm has this to do")
	}
	for sum := [32]byte{}; ; sum = sha256.Sum256(sum[:]) {
	}
}
