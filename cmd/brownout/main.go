// Command brownout finds out what a client does when the service behind it is slow, failing or lying.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit codes, which CI stages rely on.
const (
	exitConformant    = 0
	exitNotConformant = 1
	exitCannotJudge   = 2
	exitUsage         = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal ends the run in order; with the handler gone, a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs one command line and gives its exit code.
func execute(ctx context.Context, args []string, out, errOut io.Writer) int {
	root := &cobra.Command{
		Use:           "brownout",
		Short:         "Find out what a client does when the service behind it is slow, failing or lying",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.AddCommand(runCommand(), checkCommand(), rulesCommand(), explainCommand(), clientsCommand(), scenarioCommand())
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitConformant
	}
	var coded exitError
	if !errors.As(err, &coded) {
		coded = exitError{exitUsage, fmt.Errorf("%w\nbrownout --help tells more", err)}
	}
	if coded.err != nil {
		fmt.Fprintln(errOut, "brownout:", coded.err)
	}
	return coded.code
}

// exitError is an end with a code of its own; without an error nothing more is said. Any other error is wrong usage.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string { return fmt.Sprintf("exit %d: %v", e.code, e.err) }
func (e exitError) Unwrap() error { return e.err }

func cannotJudge(err error) error { return exitError{exitCannotJudge, err} }
