package faults

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Faults are written in one of two forms, which mean the same:
//
//	reset after-commit                                  words: name, value, phase, field=value
//	{fault: status, at: after-commit, code: 502}        a mapping, for everything else
//
// A bare status code is short for "status", and "ok" is a sound attempt. A list inside a script is one attempt that meets several.

// Parse reads a fault from its words; ok is false for the word "ok", which is no fault.
func Parse(text string) (f Fault, ok bool, err error) {
	words, err := split(text)
	if err != nil {
		return Fault{}, false, err
	}
	if len(words) == 0 {
		return Fault{}, false, fmt.Errorf("empty fault: want \"ok\" or a fault such as \"reset after-commit\"")
	}
	if len(words) == 1 && words[0] == "ok" {
		return Fault{}, false, nil
	}
	fields := []string{}
	name, rest := words[0], words[1:]
	if bareStatus.MatchString(name) {
		name, rest = "status", words
	}
	action, err := named(name)
	if err != nil {
		return Fault{}, false, err
	}
	for _, w := range rest {
		key, value, isField := strings.Cut(w, "=")
		switch {
		case isField:
		case isPhase(w):
			key, value = "at", w
		case action.Kind().Main == "":
			return Fault{}, false, fmt.Errorf("%s takes no value, got %q", name, w)
		default:
			key, value = action.Kind().Main, w
		}
		fields = append(fields, key+": "+scalar(value))
	}
	file, err := parser.ParseBytes([]byte("{fault: "+name+", "+strings.Join(fields, ", ")+"}"), 0)
	if err != nil {
		return Fault{}, false, fmt.Errorf("%q: %w", text, err)
	}
	if err := f.fromMapping(file.Docs[0].Body); err != nil {
		return Fault{}, false, fmt.Errorf("%q: %s", text, firstLine(err))
	}
	return f, true, nil
}

var (
	bareStatus  = regexp.MustCompile(`^[1-9][0-9][0-9]$`)
	plainScalar = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$`)
	quotedWord  = regexp.MustCompile(`[^\s"]*"[^"]*"|\S+`)
)

func isPhase(w string) bool { _, err := parsePhase(w); return err == nil }

func split(text string) ([]string, error) {
	if strings.Count(text, `"`)%2 != 0 {
		return nil, fmt.Errorf("%q: a quote is not closed", text)
	}
	words := quotedWord.FindAllString(text, -1)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, `"`, "")
	}
	return words, nil
}

func scalar(v string) string {
	if plainScalar.MatchString(v) {
		return v
	}
	return "'" + strings.ReplaceAll(v, "'", "''") + "'"
}

// firstLine drops the excerpt of our own making that a YAML error carries.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	if _, message, ok := strings.Cut(line, "] "); ok && strings.HasPrefix(line, "[") {
		return message
	}
	return line
}

// at says of an error where in the document it is.
func at(n ast.Node, err error) error {
	return &yaml.SyntaxError{Message: err.Error(), Token: n.GetToken()}
}

// UnmarshalYAML reads one fault in either form.
func (f *Fault) UnmarshalYAML(n ast.Node) error {
	if _, ok := n.(*ast.MappingNode); ok {
		return f.fromMapping(n)
	}
	got, ok, err := Parse(spelling(n))
	if err == nil && !ok {
		err = fmt.Errorf("\"ok\" is no fault")
	}
	if err != nil {
		return at(n, err)
	}
	*f = got
	return nil
}

// fromMapping takes "fault" and "at" out of the mapping and decodes the rest into the action, strictly.
func (f *Fault) fromMapping(n ast.Node) error {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		return at(n, fmt.Errorf("want a fault such as {fault: reset, at: after-commit}"))
	}
	var name, phase string
	rest := *m
	rest.Values = nil
	for _, v := range m.Values {
		switch v.Key.String() {
		case "fault":
			name = spelling(v.Value)
		case "at":
			phase = spelling(v.Value)
		default:
			rest.Values = append(rest.Values, v)
		}
	}
	action, err := named(name)
	if err != nil {
		return at(n, err)
	}
	if err := yaml.NodeToValue(&rest, action, yaml.Strict()); err != nil {
		return err
	}
	*f = Fault{At: action.Kind().Phases[0], Action: action}
	if phase != "" {
		if f.At, err = parsePhase(phase); err != nil {
			return at(n, err)
		}
	}
	if err := f.Check(); err != nil {
		return at(n, err)
	}
	return nil
}

// UnmarshalYAML reads a script: a list of steps, or a mapping with steps, repeat and probability.
func (s *Script) UnmarshalYAML(n ast.Node) error {
	steps := n
	if m, ok := n.(*ast.MappingNode); ok {
		var form struct {
			Steps       yamlNode `yaml:"steps"`
			Repeat      bool     `yaml:"repeat"`
			Probability float64  `yaml:"probability"`
		}
		if err := yaml.NodeToValue(m, &form, yaml.Strict()); err != nil {
			return err
		}
		s.Repeat, s.Probability, steps = form.Repeat, form.Probability, form.Steps.Node
	}
	list, ok := steps.(*ast.SequenceNode)
	if !ok {
		return at(n, fmt.Errorf("want a list of steps, such as [503, reset after-commit, ok], or {steps: [503], repeat: true}"))
	}
	for _, item := range list.Values {
		step, err := decodeStep(item)
		if err != nil {
			return err
		}
		s.Steps = append(s.Steps, step)
	}
	if err := s.Check(); err != nil {
		return at(n, err)
	}
	return nil
}

// yamlNode keeps a part of a document undecoded.
type yamlNode struct{ ast.Node }

func (y *yamlNode) UnmarshalYAML(n ast.Node) error { y.Node = n; return nil }

func decodeStep(n ast.Node) ([]Fault, error) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		if spelling(n) == "ok" {
			return nil, nil
		}
		var f Fault
		err := f.UnmarshalYAML(n)
		return []Fault{f}, err
	}
	var step []Fault
	for _, item := range list.Values {
		var f Fault
		if err := f.UnmarshalYAML(item); err != nil {
			return nil, err
		}
		step = append(step, f)
	}
	return step, nil
}
