package drive

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/brownout-dev/brownout/scenarios"
)

// claimsLimit is far more than any claims file needs; it keeps a wrong path from being read for ever.
const claimsLimit = 1 << 20

// LoadClaims reads what a client says of itself, YAML or JSON in the words of the adapter contract:
//
//	name: shop
//	features: [retries, retry-after]
//	claims: {max_attempts: 4, base_ms: 100}
//
// A word that the contract does not have, a value of the wrong kind and claims that contradict each other are refused, with file, line,
// column and field.
func LoadClaims(path string) (Hello, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Hello{}, fmt.Errorf("claims: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > claimsLimit {
		return Hello{}, fmt.Errorf("claims: %s: want a file of at most %d bytes", path, claimsLimit)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Hello{}, fmt.Errorf("claims: %w", err)
	}
	return parseClaims(path, text)
}

// parseClaims reads the text of a claims file; name is what errors call it.
func parseClaims(name string, text []byte) (Hello, error) {
	if scenarios.Nested(text) > scenarios.MostNested {
		return Hello{}, fmt.Errorf("%s: brackets or lists nest deeper than %d: want features and claims", name, scenarios.MostNested)
	}
	root, err := onlyMapping(text)
	var h Hello
	where := places{}
	if err == nil {
		err = where.decode(root, reflect.ValueOf(&h).Elem(), "")
	}
	if err == nil {
		err = where.check(h)
	}
	if err == nil {
		return h, nil
	}
	at := new(fieldError)
	var syntax yaml.Error
	switch {
	case errors.As(err, &at):
		return Hello{}, fmt.Errorf("%s:%s", name, at)
	case errors.As(err, &syntax):
		return Hello{}, fmt.Errorf("%s:%s", name, &fieldError{syntax.GetToken(), "", syntax.GetMessage()})
	}
	return Hello{}, fmt.Errorf("%s: %w", name, err)
}

// onlyMapping gives the one mapping that the document is.
func onlyMapping(text []byte) (*ast.MappingNode, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, err
	}
	var bodies []ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil {
			bodies = append(bodies, doc.Body)
		}
	}
	if len(bodies) == 0 {
		return nil, errors.New("empty: want features and claims")
	}
	if len(bodies) > 1 {
		return nil, &fieldError{bodies[1].GetToken(), "", "a second document: want only one"}
	}
	m, ok := bodies[0].(*ast.MappingNode)
	if !ok {
		return nil, &fieldError{bodies[0].GetToken(), "", "want a mapping with features and claims"}
	}
	return m, nil
}

// fieldError is what is wrong with one field, and where it stands.
type fieldError struct {
	token *token.Token
	field string
	says  string
}

func (e *fieldError) Error() string {
	text := e.says
	if e.field != "" {
		text = e.field + ": " + text
	}
	if e.token == nil || e.token.Position == nil {
		return " " + text
	}
	return fmt.Sprintf("%d:%d: %s", e.token.Position.Line, e.token.Position.Column, text)
}
