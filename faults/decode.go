package faults

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// UnmarshalYAML reads one fault in either form.
func (f *Fault) UnmarshalYAML(n ast.Node) error {
	if m, ok := plainNode(n).(*ast.MappingNode); ok {
		got, err := decodeMapping(m)
		if err != nil {
			return err
		}
		*f = got
		return nil
	}
	step, err := decodeWords(n)
	if err != nil {
		return err
	}
	if len(step) != 1 {
		return located(n, fmt.Errorf("got %d faults, want one such as \"reset after-commit\"", len(step)))
	}
	*f = step[0]
	return nil
}

// decodeStep reads what one attempt meets: words, one mapping, or a list of either.
func decodeStep(n ast.Node) ([]Fault, error) {
	switch v := plainNode(n).(type) {
	case *ast.SequenceNode:
		if len(v.Values) == 0 {
			return nil, located(n, errors.New("got an empty list, want faults, or ok for a sound attempt"))
		}
		step := make([]Fault, len(v.Values))
		for i, item := range v.Values {
			if err := step[i].UnmarshalYAML(item); err != nil {
				return nil, err
			}
		}
		return step, nil
	case *ast.MappingNode:
		f, err := decodeMapping(v)
		return []Fault{f}, err
	}
	return decodeWords(n)
}

// decodeWords reads a scalar: "ok", one fault, or several with "+" between them.
func decodeWords(n ast.Node) ([]Fault, error) {
	text, ok := spelling(n)
	if !ok {
		return nil, located(n, fmt.Errorf("got %s, want a fault such as \"reset after-commit\" or {fault: reset, at: after-commit}", shapeOf(n)))
	}
	step, err := parseStep(text)
	if err != nil {
		return nil, located(n, err)
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
		return Fault{}, located(m, errors.New("fault: got nothing, want the name of one, such as {fault: reset, at: after-commit}"))
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
				return Fault{}, located(v.Key, err)
			}
			if err := decodeField(field, v.Value); err != nil {
				return Fault{}, err
			}
		}
	}
	f, err := strike(action, phase)
	if err != nil {
		return Fault{}, located(place(m, nodes, err), err)
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
		return none, located(n, &FieldError{field, shapeOf(n), "one word"})
	}
	got, err := parse(text)
	if err != nil {
		return got, located(n, err)
	}
	return got, nil
}
