package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/brownout-dev/brownout/suites/drive"
)

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
			return nil, "", wrongFile(err)
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
