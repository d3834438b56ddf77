package scenarios

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
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
		if all[i], err = parseNamed(name, text); err != nil {
			return nil, err
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

// mostText is far more than any scenario needs; it keeps a wrong path from being read for ever.
const mostText = 1 << 20

// Read reads a scenario from a regular file: to open a pipe would wait for somebody to write to it.
func Read(file string) (Scenario, error) {
	if info, err := os.Stat(file); err != nil {
		return Scenario{}, err
	} else if !info.Mode().IsRegular() {
		return Scenario{}, fmt.Errorf("%s: want a regular file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return Scenario{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostText+1))
	if err != nil {
		return Scenario{}, err
	}
	if len(text) > mostText {
		return Scenario{}, fmt.Errorf("%s: want a scenario of at most %d bytes", file, mostText)
	}
	return parseNamed(file, text)
}

// parseNamed reads a scenario that is called what its file is called.
func parseNamed(file string, text []byte) (Scenario, error) {
	s, err := Parse(file, text)
	if err != nil {
		return Scenario{}, err
	}
	base := filepath.Base(file)
	if want := Name(strings.TrimSuffix(base, filepath.Ext(base))); s.Name != want {
		return Scenario{}, fmt.Errorf("%s: name %q: want %q, as the file is called", file, s.Name, want)
	}
	return s, nil
}

// Parse reads a scenario from YAML. Errors name the file, the line, the column and the field, and say what would be right; unknown fields
// and second documents are errors.
func Parse(file string, text []byte) (Scenario, error) {
	if Nested(text) > MostNested {
		return Scenario{}, fmt.Errorf("%s: brackets or lists nest deeper than %d: want a scenario as those of the suite", file, MostNested)
	}
	s, err := decode(text)
	if err != nil {
		return Scenario{}, fmt.Errorf("%s:%w", file, err)
	}
	if err := s.check(); err != nil {
		return Scenario{}, fmt.Errorf("%s:%w", file, &placed{s.whereIs(text, err), err})
	}
	s.Text = string(text)
	return s, nil
}

// decode reads the one document of a text.
func decode(text []byte) (s Scenario, err error) {
	if err := checkDurations(text); err != nil {
		return s, place(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := d.Decode(&s); errors.Is(err, io.EOF) {
		return s, errors.New(" empty: want name, says and cases")
	} else if err != nil {
		return s, place(err)
	}
	if err := d.Decode(&Scenario{}); !errors.Is(err, io.EOF) {
		return s, errors.New(" a second document: want one scenario a file")
	}
	return s, nil
}

// placed is an error at a line and column, written as compilers do and editors read: "3:14: ...".
type placed struct {
	at  *token.Position
	err error
}

func (p *placed) Error() string { return fmt.Sprintf("%d:%d: %v", p.at.Line, p.at.Column, p.err) }
func (p *placed) Unwrap() error { return p.err }

// place takes an error of the YAML decoder apart, which would otherwise print some lines of the file as well.
func place(err error) error {
	var of yaml.Error
	if !errors.As(err, &of) || of.GetToken() == nil {
		return fmt.Errorf(" %w", err)
	}
	return &placed{of.GetToken().Position, errors.New(of.GetMessage())}
}

// whereIs gives the place of the case that an error is about, or of the document.
func (s Scenario) whereIs(text []byte, err error) *token.Position {
	top := &token.Position{Line: 1, Column: 1}
	var number int
	if _, scanErr := fmt.Sscanf(err.Error(), "case %d ", &number); scanErr != nil {
		return top
	}
	file, parseErr := parser.ParseBytes(text, 0)
	at, pathErr := yaml.PathString(fmt.Sprintf("$.cases[%d]", number-1))
	if parseErr != nil || pathErr != nil {
		return top
	}
	node, filterErr := at.FilterFile(file)
	if filterErr != nil {
		return top
	}
	if fields, ok := node.(*ast.MappingNode); ok && len(fields.Values) > 0 {
		node = fields.Values[0].Key // the mapping's own token is its first colon
	}
	return node.GetToken().Position
}
