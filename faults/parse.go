package faults

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// Faults are written in one of two forms, which mean the same:
//
//	reset after-commit                                  words: name, main value, phase, field=value
//	{fault: status, at: after-commit, code: 502}        a mapping
//
// A bare status code is short for "status", and "ok" is a sound attempt. Words with a "+" between them are the faults of one attempt,
// and so is a list inside a script.

var bareStatus = regexp.MustCompile(`^[1-9][0-9][0-9]$`)

// Parse reads a fault from its words; ok is false for the word "ok", which is no fault.
func Parse(text string) (f Fault, ok bool, err error) {
	step, err := parseStep(text)
	switch {
	case err != nil:
		return Fault{}, false, err
	case len(step) > 1:
		return Fault{}, false, fmt.Errorf("%q: got %d faults, want one", text, len(step))
	case len(step) == 0:
		return Fault{}, false, nil
	}
	return step[0], true, nil
}

// parseStep reads what one attempt meets: "ok", or one fault, or several with "+" between them.
func parseStep(text string) ([]Fault, error) {
	words, err := split(text)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	if len(words) == 1 && words[0] == (word{value: "ok"}) {
		return nil, nil
	}
	var step []Fault
	for {
		end := slices.Index(words, word{value: "+"})
		one := words
		if end >= 0 {
			one = words[:end]
		}
		f, err := parseWords(one)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		step = append(step, f)
		if end < 0 {
			return step, nil
		}
		words = words[end+1:]
	}
}

func parseWords(words []word) (Fault, error) {
	if len(words) == 0 {
		return Fault{}, errors.New("got no fault, want \"ok\" or one such as \"reset after-commit\"")
	}
	name := words[0]
	if name.field != "" || name.quoted {
		return Fault{}, fmt.Errorf("got %s, want the name of a fault first, such as \"reset after-commit\"", name)
	}
	if bareStatus.MatchString(name.value) {
		name.value = "status"
	} else {
		words = words[1:]
	}
	action, err := named(name.value)
	if err != nil {
		return Fault{}, err
	}
	var at Phase
	given := map[string]int{}
	for _, w := range words {
		if w == (word{value: w.value}) && isPhase(w.value) || w.field == "at" {
			if at != "" {
				return Fault{}, &FieldError{"at", "two values", "one phase"}
			}
			if at, err = parsePhase(w.value); err != nil {
				return Fault{}, err
			}
			continue
		}
		if w.field == "" {
			w.field = action.Kind().Main
		}
		if w.field == "" {
			return Fault{}, fmt.Errorf("%s takes no value, got %s", name.value, w)
		}
		field, err := find(action, w.field)
		if err != nil {
			return Fault{}, err
		}
		if err := field.set(w.value, given[w.field]); err != nil {
			return Fault{}, err
		}
		given[w.field]++
	}
	return strike(action, at)
}

// strike makes the fault whose action strikes at a phase, or at its default phase, and checks it.
func strike(action Action, at Phase) (Fault, error) {
	if at == "" {
		at = action.Kind().Phases[0]
	}
	f := Fault{At: at, Action: action}
	if err := f.Check(); err != nil {
		return Fault{}, err
	}
	return f, nil
}

func isPhase(w string) bool { return slices.Contains(Phases(), Phase(w)) }
