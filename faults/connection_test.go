package faults

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2/toxics"
)

func TestDoors(t *testing.T) {
	for _, row := range []struct {
		text string
		want Welcome
	}{
		{"refuse", Welcome{Door: Refuse}},
		{"refuse 2s", Welcome{Door: Refuse, For: 2 * time.Second}},
		{"blackhole", Welcome{Door: Blackhole}},
		{"blackhole 1500ms", Welcome{Door: Blackhole, For: 1500 * time.Millisecond}},
		{"accept-and-close", Welcome{Door: AcceptAndClose}},
		{"accept-and-reset", Welcome{Door: AcceptAndReset}},
		{"accept-and-stall", Welcome{Door: AcceptAndStall}},
	} {
		t.Run(row.text, func(t *testing.T) {
			f, _, err := Parse(row.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Action.(Door).Door(); got != row.want {
				t.Errorf("got %+v, want %+v", got, row.want)
			}
		})
	}
}

// Each toxic is handed to Toxiproxy's own types, in their names and units: milliseconds, microseconds, KB/s.
func TestToxics(t *testing.T) {
	for _, row := range []struct {
		text, stream string
		want         toxics.Toxic
	}{
		{"latency 200ms", "downstream", &toxics.LatencyToxic{Latency: 200}},
		{"latency 1s jitter=50ms stream=upstream", "upstream", &toxics.LatencyToxic{Latency: 1000, Jitter: 50}},
		{"bandwidth 64", "downstream", &toxics.BandwidthToxic{Rate: 64}},
		{"bandwidth 64 stream=upstream", "upstream", &toxics.BandwidthToxic{Rate: 64}},
		{"slice 10", "downstream", &toxics.SlicerToxic{AverageSize: 10}},
		{"slice 10 variation=3 delay=2ms stream=upstream", "upstream", &toxics.SlicerToxic{AverageSize: 10, SizeVariation: 3, Delay: 2000}},
		{"limit 100", "downstream", &toxics.LimitDataToxic{Bytes: 100}},
		{"limit 100 stream=upstream", "upstream", &toxics.LimitDataToxic{Bytes: 100}},
	} {
		t.Run(row.text, func(t *testing.T) {
			f, _, err := Parse(row.text)
			if err != nil {
				t.Fatal(err)
			}
			chain := f.Action.(Chain).Toxics()
			if len(chain) != 1 || chain[0].Stream != row.stream {
				t.Fatalf("got %+v, want one toxic, %s", chain, row.stream)
			}
			text, err := json.Marshal(chain[0].Attributes)
			if err != nil {
				t.Fatal(err)
			}
			got := toxics.New(&toxics.ToxicWrapper{Type: chain[0].Type})
			strict := json.NewDecoder(bytes.NewReader(text))
			strict.DisallowUnknownFields()
			if err := strict.Decode(got); err != nil || !reflect.DeepEqual(got, row.want) {
				t.Errorf("%s: got %#v, %v, want %#v", text, got, err, row.want)
			}
		})
	}
}
