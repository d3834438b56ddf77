package scenarios

import (
	"fmt"
	"slices"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// isDuration tells the fields of a scenario that the YAML decoder reads as durations; where one cannot be read, it does not say which.
func isDuration(field string) bool {
	return slices.Contains([]string{"retention", "every", "after", "deadline", "cancel", "base", "cap"}, field)
}

// checkDurations refuses the first duration of a document that cannot be read, with its place. A document that is no YAML has none.
func checkDurations(text []byte) error {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil
	}
	v := &durationVisitor{}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			ast.Walk(v, doc.Body)
		}
	}
	return v.bad
}

type durationVisitor struct{ bad error }

// Visit looks at one node, and into it until something bad was found.
func (v *durationVisitor) Visit(n ast.Node) ast.Visitor {
	if v.bad != nil {
		return nil
	}
	field, ok := n.(*ast.MappingValueNode)
	if !ok {
		return v
	}
	name := field.Key.GetToken().Value
	if name == "script" || name == "headers" || name == "connections" {
		return nil // their words are their own
	}
	if !isDuration(name) {
		return v
	}
	switch field.Value.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
		text := field.Value.GetToken()
		if _, err := time.ParseDuration(text.Value); err != nil {
			v.bad = &yaml.SyntaxError{Message: fmt.Sprintf("%s %q: want a duration such as 300ms or 2s", name, text.Value), Token: text}
		}
	}
	return v
}
