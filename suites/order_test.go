package suites

import (
	"slices"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/scenarios"
)

func TestLongestFirst(t *testing.T) {
	calls := func(order scenarios.Order, deadlines ...time.Duration) scenarios.Scenario {
		s := scenarios.Scenario{Order: order}
		for _, d := range deadlines {
			s.Cases = append(s.Cases, scenarios.Case{Deadline: d})
		}
		return s
	}
	short := calls(scenarios.Parallel, 5*time.Second, 5*time.Second, 5*time.Second, 5*time.Second)
	long := calls(scenarios.Parallel, 8*time.Second)
	inARow := calls(scenarios.Sequential, 5*time.Second, 5*time.Second)
	unbounded := calls(scenarios.Parallel, time.Second, 0)
	short.Name, long.Name, inARow.Name, unbounded.Name = "short", "long", "in a row", "unbounded"
	var got []scenarios.Name
	for _, s := range longestFirst([]scenarios.Scenario{short, long, inARow, unbounded}) {
		got = append(got, s.Name)
	}
	if want := []scenarios.Name{"unbounded", "in a row", "long", "short"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
