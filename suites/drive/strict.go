package drive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// strict fills v, which is made of structs, lists, texts, numbers and truth values, from JSON. Fields go by their yaml tags, in their
// exact case. Unlike encoding/json it takes no unknown word, no word twice and no null.
func strict(text json.RawMessage, v reflect.Value, field string) error {
	switch v.Kind() {
	case reflect.Struct:
		return strictObject(text, v, field)
	case reflect.Slice:
		return strictList(text, v, field)
	}
	want := map[reflect.Kind]string{
		reflect.String: "a text", reflect.Bool: "true or false", reflect.Int: "a whole number", reflect.Float64: "a number",
	}[v.Kind()]
	if bytes.Equal(text, []byte("null")) || json.Unmarshal(text, v.Addr().Interface()) != nil {
		return fmt.Errorf("%s: want %s, got %s", field, want, spelt(text))
	}
	return nil
}

func strictObject(text json.RawMessage, v reflect.Value, field string) error {
	fields, err := object(text)
	if err != nil {
		return fmt.Errorf("%s: %w: want one with %s", field, err, strings.Join(words(v.Type()), ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		into, ok := fieldNamed(v, name)
		if !ok {
			return fmt.Errorf("%s.%s: unknown word: want one of %s", field, brief(name), strings.Join(words(v.Type()), ", "))
		}
		if err := strict(fields[name], into, field+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func strictList(text json.RawMessage, v reflect.Value, field string) error {
	var items []json.RawMessage
	if json.Unmarshal(text, &items) != nil || items == nil {
		return fmt.Errorf("%s: want a list, got %s", field, spelt(text))
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		if err := strict(item, v.Index(i), fmt.Sprintf("%s[%d]", field, i+1)); err != nil {
			return err
		}
	}
	return nil
}

// object takes a JSON object apart. A name that is there twice is refused: which of the two was meant, nobody knows (RFC 8259, 4).
func object(text []byte) (fields map[string]json.RawMessage, err error) {
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("no JSON object: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.Token() // the brace
	seen := map[string]bool{}
	for d.More() {
		token, _ := d.Token()
		name, _ := token.(string)
		if seen[name] {
			return nil, fmt.Errorf("%s is there twice", brief(strconv.Quote(name)))
		}
		seen[name] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
	}
	if fields == nil {
		return nil, fmt.Errorf("no JSON object: null")
	}
	return fields, nil
}

// spelt is a value as it was written, short enough for an error's line.
func spelt(value json.RawMessage) string {
	if value == nil {
		return "missing"
	}
	return brief(printable(value))
}

// briefLimit is how much of an adapter's own words a message repeats. Any list of words of the contract fits.
const briefLimit = 1000

func brief(text string) string {
	if len(text) <= briefLimit {
		return text
	}
	cut := briefLimit
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s... (%d bytes)", text[:cut], len(text))
}
