package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	// startBound is how long a server may take to be ready: a JVM on a busy machine. On a quiet one it takes two seconds.
	startBound = 30 * time.Second
	// stopBound is how long a server of ours may take to end; it has taken milliseconds.
	stopBound = 15 * time.Second
)

// server is a process that is measured.
type server struct {
	url string
	// stop ends the process and gives the CPU time that it took, its start included.
	stop func() (cpu time.Duration, err error)
}

// own starts this program again, as the server of that name.
func own(name string) func(context.Context) (server, error) {
	return func(ctx context.Context) (server, error) {
		self, err := os.Executable()
		if err != nil {
			return server{}, err
		}
		ctx, kill := context.WithCancel(ctx)
		cmd := exec.CommandContext(ctx, self, serveVerb, name)
		cmd.Stderr = os.Stderr
		in, inErr := cmd.StdinPipe()
		out, outErr := cmd.StdoutPipe()
		if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
			kill()
			return server{}, err
		}
		stop := func() (time.Duration, error) {
			defer kill()
			defer time.AfterFunc(stopBound, kill).Stop()
			in.Close()
			err := cmd.Wait()
			return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), err
		}
		defer time.AfterFunc(startBound, kill).Stop()
		url, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			_, ended := stop()
			return server{}, fmt.Errorf("server %s told no URL: %w", name, errors.Join(err, ended))
		}
		return server{strings.TrimSpace(url), stop}, nil
	}
}
