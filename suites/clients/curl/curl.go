// Package curl is the curl command with its own retry options, and nothing wrapped around it.
package curl

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// Arguments is the command line of a read. Curl's manual offers --fail to scripts, so that an error is an exit code, and --retry for what passes; --max-time bounds one transfer and
// --retry-max-time the time in which a retry may start, which is the nearest that curl has to a deadline.
func Arguments() []string {
	return []string{
		"curl", "--silent", "--show-error", "--fail",
		"--retry", "3",
		"--max-time", "{deadline_s}", "--retry-max-time", "{deadline_s}",
		"--request", "{method}",
		"{url}",
	}
}

// withBody adds what a request with a body needs: the body comes on stdin.
func withBody(args []string) []string {
	return append(args, "--header", "Content-Type: application/json", "--data-binary", "@-")
}

// hello is what curl's manual says of these options.
func hello(version string) drive.Hello {
	return drive.Hello{
		Name:     "curl",
		Version:  version,
		Features: []drive.Feature{drive.Retries, drive.HonoursRetryAfter},
		Claims: drive.Claims{
			MaxAttempts:   4, // --retry 3 counts retries
			BaseMS:        1000,
			Multiplier:    2,
			CapMS:         600_000,
			Jitter:        drive.NoJitter,
			RetryStatuses: []int{408, 429, 500, 502, 503, 504},
		},
	}
}

// versionBound is how long curl may take to say which it is, on a machine that has much to do.
const versionBound = 30 * time.Second

// New finds curl on this machine.
func New(ctx context.Context) (drive.Carrier, error) {
	ctx, cancel := context.WithTimeout(ctx, versionBound)
	defer cancel()
	out, err := exec.CommandContext(ctx, "curl", "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("curl cannot be run: %w: install it with the system's package manager", err)
	}
	h := hello("")
	if fields := strings.Fields(string(out)); len(fields) > 1 {
		h.Version = fields[1]
	}
	read, err := drive.Exec(h, Arguments(), drive.ExecOptions{})
	if err != nil {
		return nil, err
	}
	write, err := drive.Exec(h, withBody(Arguments()), drive.ExecOptions{})
	if err != nil {
		return nil, err
	}
	return carrier{read, write}, nil
}

// carrier has two command lines, as a user of curl would: one with a body and one without.
type carrier struct{ read, write drive.Carrier }

func (c carrier) Hello() drive.Hello { return c.read.Hello() }

func (c carrier) New(ctx context.Context, dial drive.Dial) (drive.Client, func() error, error) {
	read, endRead, err := c.read.New(ctx, dial)
	if err != nil {
		return nil, nil, err
	}
	write, endWrite, err := c.write.New(ctx, dial)
	if err != nil {
		return nil, nil, errors.Join(err, endRead())
	}
	client := drive.Func(func(ctx context.Context, call drive.Call) drive.Result {
		if call.Body == nil {
			return read.Do(ctx, call)
		}
		return write.Do(ctx, call)
	})
	return client, func() error { return errors.Join(endRead(), endWrite()) }, nil
}
