//go:build unix

package drive

import (
	"errors"
	"testing"

	"github.com/brownout-dev/brownout/faults/wire"
)

func TestProbeWantsAnAdapterToReadOn(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string // a part of the setup error; "" = none
	}{
		{"reads on", []string{childHello}, ""},
		{"takes one call at a time", []string{childHello, "SERIAL"}, "it was asked for two GETs at once, the first of which is not answered\n  expected  the second one back before the first is over: an adapter reads on"},
		{"says that it takes one", []string{`{"type":"hello","features":["bulkhead"],"claims":{"bulkhead":{"limit":1}}}`, "SERIAL"}, ""},
		{"says that it takes two", []string{`{"type":"hello","features":["bulkhead"],"claims":{"bulkhead":{"limit":2}}}`, "SERIAL"}, "two GETs at once"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			carrier, _, err := spoken(t, JSONLOptions{}, tt.args...)
			if err != nil {
				t.Fatal(err)
			}
			cal, err := Probe(t.Context(), carrier, wire.TCP{}, anyPort)
			setup := new(SetupError)
			if errors.As(err, &setup) != (tt.want != "") || cal.Runs != probeRuns {
				t.Fatalf("got %+v, %v; want %d runs, and a setup error with %q", cal, err, probeRuns, tt.want)
			}
			wantPart(t, "setup error", text(err), tt.want)
		})
	}
}
