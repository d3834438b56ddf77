package drive

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// places remembers where each field of a claims file stands, so that a contradiction can be pointed at. Elements of a list are fields as
// well: "features[2]".
//
// Its decoder is stricter than a YAML library's: 1.5 is no whole number, null is no value, and version: 1.0 is the text "1.0".
type places map[string]*token.Token

// decode fills v, which is made of structs, lists, texts, numbers and truth values, from a node. Fields go by their yaml tags.
func (p places) decode(n ast.Node, v reflect.Value, field string) error {
	p[field] = n.GetToken()
	refuse := func(want string) error {
		return &fieldError{n.GetToken(), field, fmt.Sprintf("want %s, got %s", want, spelling(n))}
	}
	switch v.Kind() {
	case reflect.Struct:
		m, ok := n.(*ast.MappingNode)
		if !ok {
			return refuse("a mapping with " + strings.Join(words(v.Type()), ", "))
		}
		return p.mapping(m, v, field)
	case reflect.Slice:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			return refuse("a list")
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values)))
		for i, item := range list.Values {
			if err := p.decode(item, v.Index(i), fmt.Sprintf("%s[%d]", field, i+1)); err != nil {
				return err
			}
		}
	case reflect.String:
		switch n.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
			v.SetString(n.GetToken().Value)
		default:
			return refuse("a text")
		}
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			return refuse("true or false")
		}
		v.SetBool(b.Value)
	case reflect.Int:
		whole, err := strconv.Atoi(n.GetToken().Value)
		if _, ok := n.(*ast.IntegerNode); !ok || err != nil {
			return refuse("a whole number")
		}
		v.SetInt(int64(whole))
	case reflect.Float64:
		number, err := strconv.ParseFloat(n.GetToken().Value, 64)
		_, isInt := n.(*ast.IntegerNode)
		if _, isFloat := n.(*ast.FloatNode); !isInt && !isFloat || err != nil {
			return refuse("a number")
		}
		v.SetFloat(number)
	}
	return nil
}

func (p places) mapping(m *ast.MappingNode, v reflect.Value, field string) error {
	for _, entry := range m.Values {
		key := entry.Key.GetToken()
		path := strings.TrimPrefix(field+"."+key.Value, ".")
		value, ok := fieldNamed(v, key.Value)
		if !ok {
			return &fieldError{key, path, "unknown word: want one of " + strings.Join(words(v.Type()), ", ")}
		}
		if err := p.decode(entry.Value, value, path); err != nil {
			return err
		}
	}
	return nil
}

// words lists the names that a struct's fields go by.
func words(t reflect.Type) (names []string) {
	for f := range t.Fields() {
		if name := f.Tag.Get("yaml"); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

func fieldNamed(v reflect.Value, name string) (field reflect.Value, ok bool) {
	for f, value := range v.Fields() {
		if f.Tag.Get("yaml") == name && name != "-" {
			return value, true
		}
	}
	return reflect.Value{}, false
}

// spelling is a node as it is written, short enough for an error's line.
func spelling(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	}
	return strconv.Quote(n.GetToken().Value)
}
