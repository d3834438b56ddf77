package faults

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Each kind in the order of Kinds, with the phase at which it strikes unless a plan says otherwise.
func TestDefaultPhases(t *testing.T) {
	want := []string{
		"refuse connect",
		"blackhole connect",
		"accept-and-close connect",
		"accept-and-reset connect",
		"accept-and-stall connect",
		"latency connect",
		"bandwidth connect",
		"slice connect",
		"limit connect",
		"delay before-commit",
		"hold before-commit",
		"close after-commit",
		"reset after-commit",
		"status before-commit",
		"redirect before-commit",
		"sever before-commit",
		"saved after-commit",
		"interim before-commit",
		"no-continue head",
		"range after-commit",
		"truncate reply-body",
		"drip reply-body",
		"stall reply-body",
		"last-chunk reply-body",
		"garbage reply-head",
		"conflict reply-head",
		"unclosed reply-head",
		"surplus idle",
	}
	var got []string
	for _, a := range Kinds() {
		got = append(got, a.Kind().Name+" "+string(a.Kind().Phases[0]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Every pair of a kind and a phase that cannot be done is refused, with the reason that the golden file shows.
func TestDocsWrongPhases(t *testing.T) {
	var text strings.Builder
	for _, a := range Kinds() {
		for _, p := range Phases() {
			err := Fault{At: p, Action: a}.Check()
			if slices.Contains(a.Kind().Phases, p) {
				continue
			}
			fmt.Fprintln(&text, err)
		}
	}
	golden(t, "testdata/wrong-phases.txt", text.String())
}

// The phases of a kind are those at which its ability is called, so that no fault is a silent no-op.
func TestAbilitiesFitPhases(t *testing.T) {
	before := []Phase{Head, BeforeCommit, AfterCommit, Idle}
	within := []Phase{ReplyHead, ReplyBody, Idle}
	for _, a := range Kinds() {
		k := a.Kind()
		var abilities []string
		var called []Phase
		if _, ok := a.(Striker); ok {
			abilities, called = append(abilities, "Striker"), before
		}
		if _, ok := a.(Sender); ok {
			abilities, called = append(abilities, "Sender"), within
		}
		if _, ok := a.(Keeper); ok {
			abilities, called = append(abilities, "Keeper"), []Phase{AfterCommit}
		}
		if _, ok := a.(Door); ok {
			abilities, called = append(abilities, "Door"), []Phase{Connect}
		}
		if _, ok := a.(Chain); ok {
			abilities, called = append(abilities, "Chain"), []Phase{Connect}
		}
		if len(abilities) != 1 {
			t.Errorf("%s: got abilities %q, want one", k.Name, abilities)
		}
		for _, p := range k.Phases {
			if !slices.Contains(called, p) {
				t.Errorf("%s: got phase %s, want one of %s, where a %s is called", k.Name, p, joinPhases(called), abilities)
			}
		}
	}
}

func TestKindsDescribeThemselves(t *testing.T) {
	names := map[string]bool{}
	for _, a := range Kinds() {
		k := a.Kind()
		if names[k.Name] || isPhase(k.Name) || k.Name == "ok" {
			t.Errorf("%s: the name is taken", k.Name)
		}
		names[k.Name] = true
		if k.Wire == "" {
			t.Errorf("%s: does not say what the client sees", k.Name)
		}
		fields := fields(a)
		if k.Main != "" && (len(fields) == 0 || fields[0].Name != k.Main) {
			t.Errorf("%s: got main field %q, want the first of its fields", k.Name, k.Main)
		}
		for _, f := range fields {
			if f.Name == "fault" || f.Name == "at" || f.Wants == "" {
				t.Errorf("%s: field %q clashes with the form, or does not say what it wants", k.Name, f.Name)
			}
		}
		if settable := reflect.TypeOf(a).Elem().NumField(); settable != len(fields) {
			t.Errorf("%s: got %d fields in plans, want all %d of its struct", k.Name, len(fields), settable)
		}
	}
}

func TestKindsAreFresh(t *testing.T) {
	a, b := Kinds(), Kinds()
	a[0].(*ClosedPort).For = 1
	if got := b[0].(*ClosedPort).For; got != 0 {
		t.Errorf("got %v from a second call, want the zero value", got)
	}
}
