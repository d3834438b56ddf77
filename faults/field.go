package faults

import (
	"fmt"
	"slices"
	"strings"
)

// Field is one field of an action: how plans write it and where its value is kept.
type Field struct {
	Name  string
	Wants string // what would be right: "a duration above zero, such as 300ms"
	Value Value
	Shape Shape
}

// Shape is how many values a field takes.
type Shape int

const (
	Single Shape = iota
	List         // several: a list in a mapping, the field again in words
	Pairs        // several "name: value": a mapping in a mapping, the field again in words
)

// Value reads and writes one field as plans spell it.
type Value interface {
	Set(text string) error
	// Texts gives what Set takes to make an equal value: nothing when the field is at its default.
	Texts() []string
}

// Fielder is an action with fields. Their order is that of the text form.
type Fielder interface{ Fields() []Field }

func fields(a Action) []Field {
	if f, ok := a.(Fielder); ok {
		return f.Fields()
	}
	return nil
}

// FieldError says what is wrong with one field and what would be right.
type FieldError struct{ Field, Got, Wants string }

func (e *FieldError) Error() string {
	return fmt.Sprintf("%s: got %s, want %s", e.Field, e.Got, e.Wants)
}

// unfit is the error of a field whose value can be read but makes no sense.
func unfit(a Fielder, name string) error {
	f := a.Fields()[slices.IndexFunc(a.Fields(), func(f Field) bool { return f.Name == name })]
	got := "nothing"
	if texts := f.Value.Texts(); len(texts) > 0 {
		got = quoteWord(strings.Join(texts, ", "))
	}
	return &FieldError{name, got, f.Wants}
}

// find gives the field of that name.
func find(a Action, name string) (Field, error) {
	var names []string
	for _, f := range fields(a) {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	kind := a.Kind().Name
	if len(names) == 0 {
		return Field{}, fmt.Errorf("unknown field %q: %s has none but \"at\"", name, kind)
	}
	return Field{}, fmt.Errorf("unknown field %q: want one of %s of %s, or at", name, strings.Join(names, ", "), kind)
}

// set reads one value of the field; given counts those before it.
func (f Field) set(text string, given int) error {
	if given > 0 && f.Shape == Single {
		return &FieldError{f.Name, "two values", f.Wants}
	}
	if err := f.Value.Set(text); err != nil {
		return &FieldError{f.Name, quoteWord(text), f.Wants}
	}
	return nil
}
