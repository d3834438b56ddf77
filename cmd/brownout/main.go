// Command brownout finds out what a client does when the service behind it is slow, failing or lying.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/brownout-dev/brownout/fakes"
	"github.com/brownout-dev/brownout/suites/report"
)

// The exit codes, which CI stages rely on.
const (
	exitConformant    = 0
	exitNotConformant = 1
	exitCannotJudge   = 2
	exitUsage         = 3
)

func main() {
	fakes.LetGarbageGather()
	log.SetOutput(io.Discard) // net/http's transport, which bundled clients stand on, logs what a fake does to it
	ctx := untilSignal(context.Background(), func() {
		os.Stdout.Close() // with its clients gone, the run would come to an end and begin to tell of it
		endClients()
		os.Exit(exitCannotJudge)
	})
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs one command line and gives its exit code.
func execute(ctx context.Context, args []string, out, errOut io.Writer) int {
	root := &cobra.Command{
		Use:               "brownout",
		Short:             "Find out what a client does when the service behind it is slow, failing or lying",
		SilenceErrors:     true,
		SilenceUsage:      true,
		Version:           version(),
		PersistentPreRunE: nothingEmpty,
	}
	root.AddCommand(runCommand(), checkCommand(), rulesCommand(), explainCommand(), clientsCommand(), scenarioCommand())
	root.SetHelpCommand(helpCommand(root))
	root.SetFlagErrorFunc(wrongFlag)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	c, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitConformant
	}
	coded := exitError{exitUsage, fmt.Errorf("%w\n%s --help tells more", err, c.CommandPath())}
	var unwritten *fs.PathError
	if errors.As(err, &unwritten) && unwritten.Op == "write" {
		coded = exitError{exitCannotJudge, err}
	}
	errors.As(err, &coded)
	if coded.err != nil {
		complain(errOut, coded.err)
	}
	return coded.code
}

// complain shows an error. It may quote a client or a file, so nothing of it reaches the terminal raw, and no line fills the screen.
func complain(w io.Writer, err error) {
	for i, line := range strings.Split(err.Error(), "\n") {
		if i == 0 {
			line = "brownout: " + line
		}
		line = report.Harmless(strings.ReplaceAll(line, "\t", "    "))
		if letters := []rune(line); len(letters) > longestLine {
			line = string(letters[:longestLine]) + "…"
		}
		fmt.Fprintln(w, line)
	}
}

// longestLine of an error, in letters: more than any message of ours has, less than a screen.
const longestLine = 1000

// exitError is an end with a code of its own; without an error nothing more is said. Any other error is a wrong command line.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string { return fmt.Sprintf("exit %d: %v", e.code, e.err) }
func (e exitError) Unwrap() error { return e.err }

func cannotJudge(err error) error { return exitError{exitCannotJudge, err} }

// wrongFile is an error in a file that the command line names: help on the command would not help.
func wrongFile(err error) error { return exitError{exitUsage, err} }
