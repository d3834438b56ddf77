package faults

import (
	"reflect"
	"testing"

	"github.com/goccy/go-yaml"
	"pgregory.net/rapid"
)

func TestFaultReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyFault().Draw(t, "fault")
		got, ok, err := Parse(want.String())
		if err != nil || !ok || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\ngot  %#v %#v, %v\nwant %#v", want, got, got.Action, err, want.Action)
		}
	})
}

func TestFaultReadsBackAsYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := ConnectionPlan{Number: 3, Fault: anyFault().Draw(t, "fault")}
		text, err := yaml.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got ConnectionPlan
		if err := yaml.UnmarshalWithOptions(text, &got, yaml.Strict()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\ngot  %v, %v\nwant %v", text, got, err, want)
		}
	})
}

func TestScriptReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyScript().Draw(t, "script")
		var got Script
		if err := yaml.UnmarshalWithOptions([]byte(want.String()), &got, yaml.Strict()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\ngot  %s, %v", want, got, err)
		}
	})
}

func TestPlanReadsBackAsYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Plan{
			Operations: map[OperationID]Script{"op-5f0c2a9d": anyScript().Draw(t, "operation")},
			Routes:     []RoutePlan{{Route: "* /v1/*", Script: anyScript().Draw(t, "route")}},
		}
		text, err := yaml.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Plan
		if err := yaml.UnmarshalWithOptions(text, &got, yaml.Strict()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\ngot  %v, %v", text, got, err)
		}
	})
}
