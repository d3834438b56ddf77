package faults

import (
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// located says of an error where in the document it is.
func located(n ast.Node, err error) error {
	return &yaml.SyntaxError{Message: err.Error(), Token: n.GetToken()}
}

// plainNode takes anchors and tags off: they do not change what a fault is.
func plainNode(n ast.Node) ast.Node {
	switch v := n.(type) {
	case *ast.AnchorNode:
		return plainNode(v.Value)
	case *ast.TagNode:
		return plainNode(v.Value)
	}
	return n
}

// spelling is a scalar as its author wrote it, without quotes: 1.50 and 0x10 stay what they are. ok is false for anything else.
func spelling(n ast.Node) (text string, ok bool) {
	switch v := plainNode(n).(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return v.GetToken().Value, true
	}
	return "", false
}

// shapeOf names what is not a scalar, for errors.
func shapeOf(n ast.Node) string {
	switch plainNode(n).(type) {
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode:
		return "a mapping"
	case *ast.AliasNode:
		return "an alias"
	}
	return "nothing"
}

func keyName(v *ast.MappingValueNode) string {
	if s, ok := v.Key.(*ast.StringNode); ok {
		return s.Value
	}
	return v.Key.GetToken().Value
}

// decodeField sets a field from its node, in the shape that the field takes.
func decodeField(f Field, n ast.Node) error {
	switch v := plainNode(n).(type) {
	case *ast.SequenceNode:
		if f.Shape != List {
			break
		}
		for i, item := range v.Values {
			if err := decodeScalar(f, "", item, i); err != nil {
				return err
			}
		}
		return nil
	case *ast.MappingNode:
		if f.Shape != Pairs {
			break
		}
		for i, pair := range v.Values {
			if err := decodeScalar(f, keyName(pair)+": ", pair.Value, i); err != nil {
				return err
			}
		}
		return nil
	}
	return decodeScalar(f, "", n, 0)
}

func decodeScalar(f Field, prefix string, n ast.Node, given int) error {
	text, ok := spelling(n)
	if !ok {
		return located(n, &FieldError{f.Name, shapeOf(n), f.Wants})
	}
	if err := f.set(prefix+text, given); err != nil {
		return located(n, err)
	}
	return nil
}
