package faults

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// UnmarshalYAML reads a script: a list of steps, or a mapping with steps, repeat and probability.
func (s *Script) UnmarshalYAML(n ast.Node) error {
	var got Script
	list := plainNode(n)
	if m, ok := list.(*ast.MappingNode); ok {
		var err error
		if list, err = got.options(m); err != nil {
			return err
		}
	}
	steps, ok := list.(*ast.SequenceNode)
	if !ok {
		return located(n, errors.New("want a list of steps, such as [503, reset after-commit, ok], or {steps: [503], repeat: true}"))
	}
	for _, item := range steps.Values {
		step, err := decodeStep(item)
		if err != nil {
			return err
		}
		if err := checkStep(step); err != nil {
			return located(item, err)
		}
		got.Steps = append(got.Steps, step)
	}
	if err := got.Check(); err != nil {
		return located(n, err)
	}
	*s = got
	return nil
}

// options reads what a script's mapping says besides its steps, and gives the steps.
func (s *Script) options(m *ast.MappingNode) (steps ast.Node, err error) {
	fields := map[string]Field{
		"repeat":      {Name: "repeat", Wants: "true or false", Value: flagOf(&s.Repeat)},
		"probability": {Name: "probability", Wants: chance, Value: aboveZero{floatOf(&s.Probability)}},
	}
	for _, v := range m.Values {
		key := keyName(v)
		field, ok := fields[key]
		switch {
		case key == "steps":
			steps = plainNode(v.Value)
		case !ok:
			return nil, located(v.Key, fmt.Errorf("unknown field %q of a script: want one of steps, repeat, probability", key))
		default:
			if err := decodeField(field, v.Value); err != nil {
				return nil, err
			}
		}
	}
	return steps, nil
}
