package faults

import (
	"strconv"
	"strings"
	"time"
)

// The values that fields have. Each is at its default when zero, so that an action's zero value is written without fields.

type durationValue time.Duration

func durationOf(p *time.Duration) Value { return (*durationValue)(p) }

func (v *durationValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	*v = durationValue(d)
	return err
}

// Texts spells microseconds in ASCII: "500us".
func (v *durationValue) Texts() []string {
	return unless(*v == 0, strings.Replace(time.Duration(*v).String(), "µ", "u", 1))
}

type numberValue int

func numberOf(p *int) Value { return (*numberValue)(p) }

func (v *numberValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	*v = numberValue(n)
	return err
}

func (v *numberValue) Texts() []string { return unless(*v == 0, strconv.Itoa(int(*v))) }

// countValue is a number whose default is not zero but none.
type countValue struct{ at **int }

func countOf(p **int) Value { return countValue{p} }

func (v countValue) Set(text string) error {
	n, err := strconv.Atoi(text)
	*v.at = &n
	return err
}

func (v countValue) Texts() []string {
	if *v.at == nil {
		return nil
	}
	return []string{strconv.Itoa(**v.at)}
}

type flagValue bool

func flagOf(p *bool) Value { return (*flagValue)(p) }

func (v *flagValue) Set(text string) error {
	if text != "true" && text != "false" {
		return strconv.ErrSyntax
	}
	*v = text == "true"
	return nil
}

func (v *flagValue) Texts() []string { return unless(!bool(*v), "true") }

type floatValue float64

func floatOf(p *float64) Value { return (*floatValue)(p) }

func (v *floatValue) Set(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	*v = floatValue(n)
	return err
}

func (v *floatValue) Texts() []string {
	return unless(*v == 0, strconv.FormatFloat(float64(*v), 'g', -1, 64))
}

// textValue holds any text, for strings and the named words made of them.
type textValue[S ~string] struct{ at *S }

func textOf[S ~string](p *S) Value { return textValue[S]{p} }

func (v textValue[S]) Set(text string) error { *v.at = S(text); return nil }
func (v textValue[S]) Texts() []string       { return unless(*v.at == "", string(*v.at)) }

// aboveZero refuses a zero that is spelled out, where zero stands for the default: a window of 0s would last for ever.
type aboveZero struct{ Value }

func (v aboveZero) Set(text string) error {
	if err := v.Value.Set(text); err != nil {
		return err
	}
	if len(v.Texts()) == 0 {
		return strconv.ErrRange
	}
	return nil
}

func unless(isDefault bool, text string) []string {
	if isDefault {
		return nil
	}
	return []string{text}
}
