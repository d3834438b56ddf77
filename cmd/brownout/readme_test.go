package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The README is held to its word: every command in it is run here, or is shown to be run by CI, or is checked against the module where it needs
// the network. No command is left over.

const root = "../.."

func fromRoot(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks gives the README's code blocks of one language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	var all []string
	for _, m := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(fromRoot(t, "README.md"), -1) {
		if m[1] == language {
			all = append(all, strings.TrimSpace(m[2]))
		} else if m[1] != "sh" && m[1] != "console" {
			t.Errorf("README.md: got a block in %q, want sh or console, which are run", m[1])
		}
	}
	if len(all) == 0 {
		t.Fatalf("README.md: got no block in %s", language)
	}
	return all
}

func TestReadmeCommands(t *testing.T) {
	onlyWith(t, "sh", "curl")
	t.Parallel()
	dir := t.TempDir() // of all blocks, which build on each other
	for _, block := range blocks(t, "sh") {
		lines := strings.Split(block, "\n")
		if !slices.ContainsFunc(lines, func(line string) bool { return proved(t, line) == nil }) {
			for _, line := range lines {
				t.Logf("run: %s", line)
			}
			execBlock(t, dir, lines)
			continue
		}
		for _, line := range lines {
			if err := proved(t, line); err != nil {
				t.Errorf("README.md: %s: %v", line, err)
			}
		}
	}
}

var exitsWith = regexp.MustCompile(` # exits with (\d)$`)

// execBlock runs a block's lines in one shell and wants all but the last to succeed, and the last to end as its remark says.
func execBlock(t *testing.T, dir string, lines []string) {
	t.Helper()
	last, want := lines[len(lines)-1], 0
	if m := exitsWith.FindStringSubmatch(last); m != nil {
		want, _ = strconv.Atoi(m[1])
	}
	script := strings.Join(lines[:len(lines)-1], "\n") + "\nset +e\n" + last + "\n[ $? -eq " + strconv.Itoa(want) + " ]"
	if out, err := inShell(t, dir, "set -e\n"+script); err != nil {
		t.Errorf("README.md: %s: %v, want every command to succeed and the last to exit with %d:\n%s", strings.Join(lines, "\n"), err, want, out)
	}
}

// inShell runs a script with the built command at hand.
func inShell(t *testing.T, dir, script string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hangGuard)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-c", script)
	c.Dir = dir
	c.Env = append(os.Environ(), "NO_COLOR=1", "PATH="+filepath.Dir(os.Getenv("E2E_COMMAND"))+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	return string(out), err
}

// proved tells whether a line needs no run, because CI runs it or because all that could be wrong with it can be looked up.
func proved(t *testing.T, line string) error {
	t.Helper()
	const module = "github.com/brownout-dev/brownout"
	mod, ci := fromRoot(t, "go.mod"), fromRoot(t, ".ci/run")
	switch {
	case line == "go install "+module+"/cmd/brownout@latest":
		if regexp.MustCompile(`(?m)^(replace|exclude)\b`).MatchString(mod) {
			return errors.New("go install refuses a version of a module that replaces or excludes others")
		}
		return declares(mod, module)
	case line == "git clone https://"+module:
		return declares(mod, module)
	case line == "cd "+filepath.Base(module):
		return nil
	case strings.HasPrefix(line, "make ") && slices.Contains(strings.Split(ci, "\n"), line):
		return nil
	}
	return errors.New("neither run here, nor by .ci/run, nor known otherwise")
}

func declares(mod, module string) error {
	if first, _, _ := strings.Cut(mod, "\n"); first != "module "+module {
		return fmt.Errorf("go.mod begins with %q", first)
	}
	return nil
}

// TestReadmePicture runs the command that the README begins with, and wants the lines that it shows, in their order; between them lines
// are left out, and times differ.
func TestReadmePicture(t *testing.T) {
	onlyWith(t, "sh", "curl")
	t.Parallel()
	for _, block := range blocks(t, "console") {
		shown := strings.Split(block, "\n")
		command, ok := strings.CutPrefix(shown[0], "$ ")
		if !ok {
			t.Fatalf("README.md: got %q, want a command after $", shown[0])
		}
		out, err := inShell(t, t.TempDir(), command)
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		said := strings.Split(out, "\n")
		for _, line := range shown[1:] {
			at := slices.IndexFunc(said, func(s string) bool { return timeless(s) == timeless(line) })
			if at < 0 {
				t.Errorf("README.md: %s\nhas the line\n%s\nwhich was not printed after those before it:\n%s", command, line, out)
				break
			}
			said = said[at+1:]
		}
	}
}

var aTime = regexp.MustCompile(`\d+\.\d{3} s`)

func timeless(line string) string { return strings.TrimSpace(aTime.ReplaceAllString(line, "… s")) }

// onlyWith skips where a tool that the README uses is not on this machine. CI installs them.
func onlyWith(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
}
