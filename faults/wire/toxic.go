package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"

	"github.com/brownout-dev/brownout/faults"
)

// longest bounds a toxic's own delays: with it no sum of them overflows.
const longest = 24 * time.Hour

// brew makes a fresh Toxiproxy toxic. It refuses what a road cannot carry, or what Toxiproxy would take and then hang, panic or do
// nothing with.
func brew(t faults.Toxic) (*toxics.ToxicWrapper, stream.Direction, error) {
	direction, err := stream.ParseDirection(t.Stream)
	if err != nil {
		return nil, 0, fmt.Errorf("toxic %s: stream %q: want upstream or downstream", t.Type, t.Stream)
	}
	w := &toxics.ToxicWrapper{Type: t.Type, Stream: t.Stream, Direction: direction, Toxicity: 1}
	if toxics.New(w) == nil {
		return nil, 0, fmt.Errorf("unknown toxic %q: want latency, bandwidth, slicer, limit_data or slow_close", t.Type)
	}
	attributes, err := json.Marshal(t.Attributes)
	if err != nil {
		return nil, 0, fmt.Errorf("toxic %s: %w", t.Type, err)
	}
	d := json.NewDecoder(bytes.NewReader(attributes))
	d.DisallowUnknownFields()
	if err := d.Decode(w.Toxic); err != nil {
		return nil, 0, fmt.Errorf("toxic %s: attributes %s: %w", t.Type, attributes, err)
	}
	if err := fit(w.Toxic); err != nil {
		return nil, 0, fmt.Errorf("toxic %s: %w", t.Type, err)
	}
	return w, direction, nil
}

func fit(toxic toxics.Toxic) error {
	switch t := toxic.(type) {
	case *toxics.LatencyToxic:
		if !within(t.Latency, time.Millisecond) || !within(t.Jitter, time.Millisecond) {
			return fmt.Errorf("latency %d ms, jitter %d ms: want 0 to %v each", t.Latency, t.Jitter, longest)
		}
	case *toxics.BandwidthToxic:
		if t.Rate < 1 {
			return fmt.Errorf("rate %d KB/s: want 1 or more", t.Rate)
		}
	case *toxics.SlicerToxic:
		if t.AverageSize < 1 || t.SizeVariation < 0 || t.SizeVariation >= t.AverageSize {
			return fmt.Errorf("average_size %d, size_variation %d: want a size above zero and a smaller variation", t.AverageSize, t.SizeVariation)
		}
		if !within(int64(t.Delay), time.Microsecond) {
			return fmt.Errorf("delay %d us: want 0 to %v", t.Delay, longest)
		}
	case *toxics.LimitDataToxic:
		if t.Bytes < 1 {
			return fmt.Errorf("bytes %d: want 1 or more", t.Bytes)
		}
	case *toxics.SlowCloseToxic:
		if !within(t.Delay, time.Millisecond) {
			return fmt.Errorf("delay %d ms: want 0 to %v", t.Delay, longest)
		}
	case *toxics.ResetToxic:
		return fmt.Errorf("closes with FIN unless TCP is on both its sides: want the fault \"reset\" or \"accept-and-reset\"")
	default:
		return fmt.Errorf("cannot be told to end with its connection: want latency, bandwidth, slicer, limit_data or slow_close")
	}
	return nil
}

func within(n int64, unit time.Duration) bool { return n >= 0 && n <= int64(longest/unit) }
