package scenarios

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

//go:embed *.yaml
var files embed.FS

// All reads the suite's own scenarios, by name.
func All() ([]Scenario, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	all := make([]Scenario, len(names))
	for i, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if all[i], err = Parse(name, text); err != nil {
			return nil, err
		}
		if want := Name(strings.TrimSuffix(name, ".yaml")); all[i].Name != want {
			return nil, fmt.Errorf("%s: name %q: want %q, as the file is called", name, all[i].Name, want)
		}
	}
	return all, nil
}

// Named reads one of the suite's own.
func Named(name Name) (Scenario, error) {
	file := string(name) + ".yaml"
	text, err := files.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Scenario{}, fmt.Errorf("no scenario is called %q", name)
	}
	if err != nil {
		return Scenario{}, err
	}
	return Parse(file, text)
}

// Read reads a scenario from a file.
func Read(file string) (Scenario, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Scenario{}, err
	}
	return Parse(path.Base(file), text)
}

// Parse reads a scenario from YAML. Errors name the file, the line and the field, and say what would be right; unknown fields are errors.
func Parse(file string, text []byte) (Scenario, error) {
	var s Scenario
	err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&s)
	if err != nil {
		return Scenario{}, fmt.Errorf("%s:%w", file, err)
	}
	if err := s.check(); err != nil {
		return Scenario{}, fmt.Errorf("%s:%s %w", file, s.whereIs(text, err), err)
	}
	s.Text = string(text)
	return s, nil
}

// whereIs gives "[line:1]" of the case an error is about, as the YAML decoder writes it, or of the document.
func (s Scenario) whereIs(text []byte, err error) string {
	var number int
	if _, scanErr := fmt.Sscanf(err.Error(), "case %d ", &number); scanErr != nil {
		return "[1:1]"
	}
	file, parseErr := parser.ParseBytes(text, 0)
	at, pathErr := yaml.PathString(fmt.Sprintf("$.cases[%d]", number-1))
	if parseErr != nil || pathErr != nil {
		return "[1:1]"
	}
	node, filterErr := at.FilterFile(file)
	if filterErr != nil {
		return "[1:1]"
	}
	p := node.GetToken().Position
	return fmt.Sprintf("[%d:%d]", p.Line, p.Column)
}
