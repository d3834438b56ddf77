package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"github.com/brownout-dev/brownout/suites/drive"
)

// carrier finds the client, and the words that name it on a command line.
func (f runFlags) carrier(ctx context.Context, argv []string) (drive.Carrier, string, error) {
	switch {
	case (f.client != "") && (f.exec || f.jsonl) || f.exec && f.jsonl:
		return nil, "", errors.New("--client, --exec and --jsonl: want one of them")
	case f.client != "" && len(argv) > 0:
		return nil, "", fmt.Errorf("%q: --client takes no command; want --exec -- command", argv[0])
	case f.claims != "" && !f.exec:
		return nil, "", errors.New("--claims: bundled clients and jsonl clients bring their own claims; want --exec -- command with it, or --claim")
	case f.client != "":
		carrier, err := bundled(f.client)
		return f.claiming(carrier, "--client "+f.client, "", err)
	case !f.exec && !f.jsonl:
		return nil, "", errors.New("no client: want --client NAME, or --exec -- command argument…, or --jsonl -- command argument…")
	case len(argv) == 0:
		return nil, "", errors.New("no command: want the client's command after --")
	}
	args := "--exec"
	if f.jsonl {
		args = "--jsonl"
	}
	if f.claims != "" {
		args += " --claims " + shellWord(f.claims)
	}
	command := " --"
	for _, a := range argv {
		command += " " + shellWord(a)
	}
	carrier, err := f.command(ctx, argv)
	return f.claiming(carrier, args, command, err)
}

// claiming has a client say what --feature and --claim add to its own hello, and puts them among the words that name it.
func (f runFlags) claiming(c drive.Carrier, args, command string, err error) (drive.Carrier, string, error) {
	if err != nil || len(f.feature)+len(f.claim) == 0 {
		return c, args + command, err
	}
	hello, err := c.Hello().Override(f.feature, f.claim)
	if err != nil {
		return nil, "", fmt.Errorf("--claim, --feature: %w", err)
	}
	for _, word := range f.feature {
		args += " --feature " + shellWord(word)
	}
	for _, claim := range f.claim {
		args += " --claim " + shellWord(claim)
	}
	return drive.Claiming(c, hello), args + command, nil
}

// command starts to drive a client that is a command of its own.
func (f runFlags) command(ctx context.Context, argv []string) (drive.Carrier, error) {
	if f.jsonl {
		carrier, err := drive.JSONL(ctx, argv, drive.JSONLOptions{})
		if err != nil && !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, fs.ErrNotExist) {
			err = cannotJudge(err) // the command is there, and does not keep the contract
		}
		return carrier, err
	}
	hello := drive.Hello{}
	if f.claims != "" {
		var err error
		if hello, err = drive.LoadClaims(f.claims); err != nil {
			return nil, wrongFile(err)
		}
	}
	return drive.Exec(hello, argv, drive.ExecOptions{})
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
