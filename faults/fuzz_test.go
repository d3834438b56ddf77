package faults

import (
	"reflect"
	"testing"

	"github.com/goccy/go-yaml"
)

// Whatever text comes, Parse ends without panic, and what it accepts is sound and reads back.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"ok", "503", "502 after-commit", "reset after-commit", "delay 300ms + reset", `503 retry-after="" headers="A: b"`,
		"truncate 3 chunked=true end=reset", "slice 10 variation=3 delay=500us stream=upstream", `garbage "\xff\u00e9\n"`, "drip every=1s at=reply-head",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, ok, err := Parse(text)
		if err != nil || !ok {
			return
		}
		if err := want.Check(); err != nil {
			t.Fatalf("%q is accepted, but: %v", text, err)
		}
		got, ok, err := Parse(want.String())
		if err != nil || !ok || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q means %s, which reads back as %v, %v", text, want, got, err)
		}
	})
}

// Whatever document comes, decoding a script ends without panic, and what it accepts is sound and reads back.
func FuzzScript(f *testing.F) {
	for _, text := range []string{
		"[503, reset after-commit, ok]", "{steps: [503], repeat: true, probability: 0.4}", "- delay 1s + reset\n- [503, {fault: drip, every: 1s}]",
		"- fault: status\n  code: 503\n  retry-after: [1, date+3s]\n  headers: {A: \"b\"}\n", "[&a !!str reset, *a]", "- {fault: garbage, text: |\n  x\n}", "- ? fault\n  : reset",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want Script
		if err := yaml.UnmarshalWithOptions([]byte(text), &want, yaml.Strict()); err != nil {
			return
		}
		if err := want.Check(); err != nil {
			t.Fatalf("%q is accepted, but: %v", text, err)
		}
		var got Script
		if err := yaml.UnmarshalWithOptions([]byte(want.String()), &got, yaml.Strict()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q means %s, which reads back as %s, %v", text, want, got, err)
		}
	})
}
