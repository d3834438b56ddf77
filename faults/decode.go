package faults

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// UnmarshalYAML reads one fault in either form.
func (f *Fault) UnmarshalYAML(n ast.Node) error {
	step, err := decodeStep(n)
	if err != nil {
		return err
	}
	if len(step) != 1 {
		return at(n, fmt.Errorf("got %d faults, want one such as \"reset after-commit\"", len(step)))
	}
	*f = step[0]
	return nil
}

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
		return at(n, errors.New("want a list of steps, such as [503, reset after-commit, ok], or {steps: [503], repeat: true}"))
	}
	for _, item := range steps.Values {
		step, err := decodeStep(item)
		if err != nil {
			return err
		}
		got.Steps = append(got.Steps, step)
		if err := checkStep(step); err != nil {
			return at(item, err)
		}
	}
	if err := got.Check(); err != nil {
		return at(n, err)
	}
	*s = got
	return nil
}

// options reads what a script's mapping says besides its steps, and gives the steps.
func (s *Script) options(m *ast.MappingNode) (steps ast.Node, err error) {
	fields := map[string]Field{
		"repeat":      {Name: "repeat", Wants: "true or false", Value: flagOf(&s.Repeat)},
		"probability": {Name: "probability", Wants: chance, Value: floatOf(&s.Probability)},
	}
	for _, v := range m.Values {
		key := keyName(v)
		field, ok := fields[key]
		switch {
		case key == "steps":
			steps = plainNode(v.Value)
		case !ok:
			return nil, at(v.Key, fmt.Errorf("unknown field %q of a script: want one of steps, repeat, probability", key))
		default:
			if err := decodeField(field, v.Value); err != nil {
				return nil, err
			}
			if key == "probability" && s.Probability == 0 {
				return nil, at(v.Value, &FieldError{"probability", "0", chance})
			}
		}
	}
	return steps, nil
}

// decodeStep reads what one attempt meets: words, one mapping, or a list of either.
func decodeStep(n ast.Node) ([]Fault, error) {
	switch v := plainNode(n).(type) {
	case *ast.MappingNode:
		f, err := decodeMapping(v)
		return []Fault{f}, err
	case *ast.SequenceNode:
		var step []Fault
		for _, item := range v.Values {
			var f Fault
			if err := f.UnmarshalYAML(item); err != nil {
				return nil, err
			}
			step = append(step, f)
		}
		return step, nil
	}
	text, ok := spelling(n)
	if !ok {
		return nil, at(n, fmt.Errorf("got %s, want a fault such as \"reset after-commit\" or {fault: reset, at: after-commit}", shapeOf(n)))
	}
	step, err := parseStep(text)
	if err != nil {
		return nil, at(n, err)
	}
	return step, nil
}

// decodeMapping reads {fault: NAME, at: PHASE, ...}; all else are fields of the action.
func decodeMapping(m *ast.MappingNode) (Fault, error) {
	nodes := map[string]ast.Node{}
	for _, v := range m.Values {
		nodes[keyName(v)] = v.Value
	}
	name, ok := nodes["fault"]
	if !ok {
		return Fault{}, at(m, errors.New("fault: got nothing, want the name of one, such as {fault: reset, at: after-commit}"))
	}
	action, err := decodeWord(name, "fault", named)
	if err != nil {
		return Fault{}, err
	}
	var phase Phase
	for _, v := range m.Values {
		switch key := keyName(v); key {
		case "fault":
		case "at":
			if phase, err = decodeWord(v.Value, "at", parsePhase); err != nil {
				return Fault{}, err
			}
		default:
			field, err := find(action, key)
			if err != nil {
				return Fault{}, at(v.Key, err)
			}
			if err := decodeField(field, v.Value); err != nil {
				return Fault{}, err
			}
		}
	}
	f, err := strike(action, phase)
	if err != nil {
		return Fault{}, at(place(m, nodes, err), err)
	}
	return f, nil
}

// place is the part of a fault's mapping that an error is about.
func place(m *ast.MappingNode, nodes map[string]ast.Node, err error) ast.Node {
	var wrong *FieldError
	if errors.As(err, &wrong) && nodes[wrong.Field] != nil {
		return nodes[wrong.Field]
	}
	return m
}

func decodeWord[T any](n ast.Node, field string, parse func(string) (T, error)) (T, error) {
	text, ok := spelling(n)
	if !ok {
		var none T
		return none, at(n, &FieldError{field, shapeOf(n), "one word"})
	}
	got, err := parse(text)
	if err != nil {
		return got, at(n, err)
	}
	return got, nil
}
