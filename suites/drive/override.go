package drive

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Override gives a hello with features added and claims set, each written as a person types it: "max_attempts=4", "budget.ratio=0.1",
// "retry_statuses=429,503". A claim replaces what was claimed there; the last of two alike counts. What the contract has no word for, a
// value of the wrong kind and claims that contradict each other are refused, with what would be right.
func (h Hello) Override(with, claims []string) (Hello, error) {
	h.Features = slices.Clone(h.Features)
	for _, f := range with {
		if !slices.Contains(features(), Feature(f)) {
			return Hello{}, fmt.Errorf("feature %q: unknown word: want one of %s", brief(f), join(features()))
		}
		if !h.Has(Feature(f)) {
			h.Features = append(h.Features, Feature(f))
		}
	}
	h.Claims.RetryStatuses = slices.Clone(h.Claims.RetryStatuses)
	for _, c := range claims {
		name, value, ok := strings.Cut(c, "=")
		if !ok {
			return Hello{}, fmt.Errorf("claim %q: want a name and a value, such as max_attempts=4", brief(c))
		}
		if err := setClaim(reflect.ValueOf(&h.Claims).Elem(), name, value, ""); err != nil {
			return Hello{}, err
		}
	}
	if found := slices.Concat(checkPolicy(h), checkParts(h)); len(found) > 0 {
		first := slices.MinFunc(found, func(a, b complaint) int { return cmp.Compare(a.field, b.field) })
		return Hello{}, fmt.Errorf("%s: %s", first.field, first.says)
	}
	return h, nil
}

// setClaim sets the field of v that a dotted name leads to.
func setClaim(v reflect.Value, name, value, above string) error {
	word, rest, nested := strings.Cut(name, ".")
	full := above + word
	field, ok := fieldNamed(v, word)
	switch {
	case !ok:
		return fmt.Errorf("claim %q: unknown word: want one of %s", brief(full), strings.Join(words(v.Type()), ", "))
	case field.Kind() == reflect.Struct && nested:
		return setClaim(field, rest, value, full+".")
	case field.Kind() == reflect.Struct:
		return fmt.Errorf("claim %q: want one of its parts: %s.%s", full, full, strings.Join(words(field.Type()), ", "+full+"."))
	case nested:
		return fmt.Errorf("claim %q: %s has no parts: want %s=value", brief(above+name), full, full)
	}
	if want := setValue(field, value); want != "" {
		return fmt.Errorf("claim %s: want %s, got %q", full, want, brief(value))
	}
	return nil
}

// setValue sets a field from its text; what it wanted instead, where the text is none of its kind.
func setValue(field reflect.Value, text string) (want string) {
	switch field.Kind() {
	case reflect.String:
		if text == "" {
			return "a text"
		}
		field.SetString(text)
	case reflect.Bool:
		if text != "true" && text != "false" {
			return "true or false"
		}
		field.SetBool(text == "true")
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return "a whole number"
		}
		field.SetInt(int64(n))
	case reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n-n != 0 { // not a number, or without an end
			return "a number"
		}
		field.SetFloat(n)
	case reflect.Slice:
		parts := strings.Split(text, ",")
		list := reflect.MakeSlice(field.Type(), len(parts), len(parts))
		for i, part := range parts {
			if one := setValue(list.Index(i), strings.TrimSpace(part)); one != "" {
				return "a list with commas between, each " + one
			}
		}
		field.Set(list)
	}
	return ""
}

// Spell gives what is claimed, word by word as [Hello.Override] takes it, in the contract's order.
func (c Claims) Spell() []string { return spellClaims(reflect.ValueOf(c), "") }

func spellClaims(v reflect.Value, above string) (all []string) {
	for f, value := range v.Fields() {
		name := above + f.Tag.Get("yaml")
		switch {
		case value.IsZero():
		case value.Kind() == reflect.Struct:
			all = append(all, spellClaims(value, name+".")...)
		case value.Kind() == reflect.Slice:
			all = append(all, name+"="+strings.Trim(strings.ReplaceAll(fmt.Sprint(value), " ", ","), "[]"))
		default:
			all = append(all, fmt.Sprintf("%s=%v", name, value))
		}
	}
	return all
}

// Claiming is a carrier whose client says another hello than its own.
func Claiming(c Carrier, h Hello) Carrier { return claiming{c, h} }

type claiming struct {
	Carrier
	hello Hello
}

func (c claiming) Hello() Hello { return c.hello }
