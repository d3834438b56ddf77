package suites

import (
	"math"
	"reflect"
	"testing"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func TestWilson(t *testing.T) {
	// Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
	for _, tt := range []struct {
		times, of int
		low, high float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}} {
		if low, high := wilson(tt.times, tt.of); math.Abs(low-tt.low) > 1e-4 || math.Abs(high-tt.high) > 1e-4 {
			t.Errorf("%d of %d: got %.4f to %.4f, want %.4f to %.4f", tt.times, tt.of, low, high, tt.low, tt.high)
		}
	}
}

func TestTogether(t *testing.T) {
	tests := []struct {
		name    string
		results []Result // of one rule, by run
		want    Result
		run     int
		reason  string
	}{
		{"once", []Result{Pass}, Pass, 0, "one run is itself"},
		{"one failure", []Result{Pass, Pass, Fail, Pass}, Fail, 2, "it was confirmed in its run"},
		{"the worst", []Result{Warn, Fail, Warn}, Fail, 1, "not the first"},
		{"the first of equals", []Result{Fail, Fail}, Fail, 0, "one is as good as the other"},
		{"a doubt that was settled", []Result{Inconclusive, Pass, Inconclusive}, Pass, 1, "a run that could decide says more"},
		{"only doubts", []Result{Inconclusive, Inconclusive}, Inconclusive, 0, "nothing was settled"},
		{"a fact", []Result{Pass, Observed}, Observed, 1, "it was seen"},
		{"not tested", []Result{NotTested, Pass}, Pass, 1, "it was, once"},
		{"untested and unsupported", []Result{Unsupported, NotTested}, NotTested, 1, "neither is a pass"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var all []Judgement
			for _, r := range tt.results {
				all = append(all, Judgement{Verdicts: []Verdict{{Rule: "A-1", Result: r}}})
			}
			j, runs := Together(all)
			if j.Verdicts[0].Result != tt.want || runs[0] != tt.run {
				t.Errorf("got %s of run %d, want %s of %d: %s", j.Verdicts[0].Result, runs[0], tt.want, tt.run, tt.reason)
			}
			if all[0].Verdicts[0].Result != tt.results[0] {
				t.Errorf("got a first run with %s, want it left alone", all[0].Verdicts[0].Result)
			}
			n := 0
			for _, rate := range Rates(all)[0] {
				n += rate.Times
			}
			if n != len(tt.results) {
				t.Errorf("got rates of %d verdicts, want %d", n, len(tt.results))
			}
		})
	}
}

func TestUnconfirmed(t *testing.T) {
	rules := []Rule{{ID: "A-1", Level: Must, Under: "once"}, {ID: "A-2", Level: Must, Under: "twice"}, {ID: "A-3", Level: Must, Under: "once"}, {ID: "A-4", Level: Must, Under: "once"}}
	found := []Finding{{Needed: "this", Seen: "that", result: Fail}}
	advice := []Finding{{Needed: "this", Seen: "that", result: Warn}}
	verdicts := []Verdict{
		{Rule: "A-1", Result: Fail, Detail: "so", Findings: found},
		{Rule: "A-2", Result: Fail, Detail: "so", Findings: found},
		{Rule: "A-3", Result: Pass},
		{Rule: "A-4", Result: Warn, Findings: advice},
	}
	again := map[scenarios.Name]transcript.Transcript{"twice": {}}
	got := Unconfirmed(rules, verdicts, again)
	want := []Result{Inconclusive, Fail, Pass, Warn} // advice is not played again: it was not proved the first time either
	if results := []Result{got[0].Result, got[1].Result, got[2].Result, got[3].Result}; !reflect.DeepEqual(results, want) {
		t.Errorf("got %v, want %v", results, want)
	}
	if got[0].Detail != "fail once, and cut short before it was played again: so" {
		t.Errorf("got %q", got[0].Detail)
	}
}
