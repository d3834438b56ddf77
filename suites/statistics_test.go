package suites

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/sample"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// A kind of client, by the waits that it draws.
type habit struct {
	name  string
	claim drive.Claims
	wait  func(r *rand.Rand, k int) time.Duration // k from 1
}

func between(r *rand.Rand, from, to time.Duration) time.Duration {
	return from + time.Duration(r.Int64N(int64(to-from)+1))
}

func doubling(k int) time.Duration { return 100 * time.Millisecond << (k - 1) }

func honestHabits() []habit {
	claims := func(j drive.Jitter) drive.Claims {
		return drive.Claims{BaseMS: 100, CapMS: 2000, Multiplier: 2, Jitter: j}
	}
	percent := claims(drive.PercentJitter)
	percent.JitterPercent = 20
	return []habit{
		{"full jitter", claims(drive.FullJitter), func(r *rand.Rand, k int) time.Duration { return between(r, 0, doubling(k)) }},
		{"equal jitter", claims(drive.EqualJitter), func(r *rand.Rand, k int) time.Duration { return between(r, doubling(k)/2, doubling(k)) }},
		{"20 % either way", percent, func(r *rand.Rand, k int) time.Duration { return between(r, doubling(k)*8/10, doubling(k)*12/10) }},
		{"75 to 100 %", drive.Claims{}, func(r *rand.Rand, k int) time.Duration { return between(r, doubling(k)*3/4, doubling(k)) }},
		{"full jitter, linear growth", drive.Claims{BaseMS: 100}, func(r *rand.Rand, k int) time.Duration { return between(r, 0, time.Duration(k)*100*time.Millisecond) }},
	}
}

// simulate makes up a play of n operations with four waits each; the machine adds up to late to every wait.
func simulate(r *rand.Rand, h habit, n int, late time.Duration) transcript.Transcript {
	t := transcript.Transcript{
		Client:          drive.Hello{Features: []drive.Feature{drive.Retries}, Claims: h.claim},
		TypicalLateness: clock.Span(late),
	}
	for i := range n {
		times := []time.Duration{0}
		for k := range 4 {
			times = append(times, times[k]+h.wait(r, k+1)+between(r, 0, late))
		}
		one := play(time.Minute, times[4], times...)
		id := faults.OperationID(fmt.Sprintf("op-%d", i))
		one.Operations[0].ID = id
		for a := range one.Attempts {
			one.Attempts[a].Operation, one.Decisions[a].Operation = id, id
		}
		t.Operations = append(t.Operations, one.Operations...)
		t.Attempts = append(t.Attempts, one.Attempts...)
		t.Decisions = append(t.Decisions, one.Decisions...)
	}
	return t
}

// Honest clients break no statistical rule, however the dice fall, with as few operations as an exec client is given and with as many as
// any other, on a quiet machine and on a busy one. As in a run, a finding has to come again in a second play: each play may be wrong once in
// a thousand, both together once in a million.
func TestHonestWaitsAreNotBlamed(t *testing.T) {
	waits := Rule{ID: "waits", Level: Must, Holds: func(b *Bench, t transcript.Transcript) { b.backsOff(t.In()) }}
	r := rand.New(rand.NewPCG(1, 2))
	for _, h := range honestHabits() {
		t.Run(h.name, func(t *testing.T) {
			for _, n := range []int{4, 24, 200} {
				for _, late := range []time.Duration{0, 30 * time.Millisecond} {
					plays, blamed := 12_000/(n+100), 0
					for range plays {
						first := simulate(r, h, n, late)
						for _, rule := range []Rule{growingWaits(), randomWaits(), fullJitter(), equalJitter(), waits} {
							v := Judge(rule, first)
							if v.Result != rule.Level.broken() {
								continue
							}
							blamed++
							if again := Judge(rule, simulate(r, h, n, late)); again.Result == rule.Level.broken() {
								t.Errorf("%s of %d operations, twice: %s", v.Rule, n, again.Detail)
							}
						}
					}
					if blamed > 2+plays/100 {
						t.Errorf("%d operations, %s late: %d of %d plays were blamed, want 1 in 1000", n, late, blamed, plays)
					}
				}
			}
		})
	}
}

// Jitter of 10 % either way is near the line: with as few waits as an exec client makes it is blamed 2 or 3 times in a thousand plays and in doubt in 10 of a
// hundred, with as many as any other never.
func TestNarrowJitterIsSeldomBlamed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tenth := habit{wait: func(r *rand.Rand, k int) time.Duration { return between(r, doubling(k)*9/10, doubling(k)*11/10) }}
	for _, row := range []struct{ operations, plays, blamed, doubtful int }{
		{24, 600, 6, 90},
		{200, 40, 0, 0},
	} {
		results := map[Result]int{}
		for range row.plays {
			results[Judge(randomWaits(), simulate(r, tenth, row.operations, 0)).Result]++
		}
		if results[Fail] > row.blamed || results[Inconclusive] > row.doubtful {
			t.Errorf("%d operations: got %v in %d plays, want at most %d fail and %d inconclusive", row.operations, results, row.plays, row.blamed, row.doubtful)
		}
	}
}

// Clients in lock-step, or at a constant pace, are found out, also where a busy machine blurs their waits; if it blurs them too much the
// verdict is a doubt, but never a pass.
func TestDishonestWaitsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	steps := func(_ *rand.Rand, k int) time.Duration { return 10 * doubling(k) }
	for _, row := range []struct {
		name string
		wait func(*rand.Rand, int) time.Duration
		rule Rule
	}{
		{"no jitter", steps, randomWaits()},
		{"jitter of 1 %", func(r *rand.Rand, k int) time.Duration { return between(r, steps(r, k)*99/100, steps(r, k)*101/100) }, randomWaits()},
		{"constant", func(*rand.Rand, int) time.Duration { return time.Second }, growingWaits()},
		{"constant, full jitter", func(r *rand.Rand, _ int) time.Duration { return between(r, 0, time.Second) }, growingWaits()},
	} {
		t.Run(row.name, func(t *testing.T) {
			for range 10 {
				h := habit{wait: row.wait}
				if v := Judge(row.rule, simulate(r, h, 200, 2*time.Millisecond)); v.Result != Fail {
					t.Fatalf("quiet: got %s (%s), want fail", v.Result, v.Detail)
				}
				if v := Judge(row.rule, simulate(r, h, 24, 100*time.Millisecond)); v.Result == Pass {
					t.Fatalf("busy: got pass (%v), want fail or a doubt", v.Measured)
				}
			}
		})
	}
}

// What is drawn evenly, but no more or no less than a number, has the mean and the variance that it is said to have.
func TestSpanCutOff(t *testing.T) {
	tests := []struct {
		name string
		of   span
		at   float64
	}{
		{"never reached", span{0, 1}, 2},
		{"cuts off half", span{0, 1}, 0.5},
		{"cuts off little", span{0.75, 1.5}, 1.4},
		{"always reached", span{1, 2}, 0.5},
		{"one number", span{1, 1}, 2},
		{"one number, reached", span{1, 1}, 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const draws = 200_000
			r := rand.New(rand.NewPCG(1, 2))
			var most, least []float64
			for range draws {
				drawn := tt.of.from + r.Float64()*tt.of.width()
				most, least = append(most, min(tt.at, drawn)), append(least, max(tt.at, drawn))
			}
			for _, cut := range []struct {
				what string
				got  []float64
				of   func(float64) (float64, float64)
			}{{"no more than", most, tt.of.upTo}, {"no less than", least, tt.of.raised}} {
				wantMean, wantVariance := cut.of(tt.at)
				if m, v := sample.Mean(cut.got), deviation(cut.got)*deviation(cut.got); math.Abs(m-wantMean) > 0.005 || math.Abs(v-wantVariance) > 0.005 {
					t.Errorf("%s %g: got mean %.4f and variance %.4f, want %.4f and %.4f", cut.what, tt.at, m, v, wantMean, wantVariance)
				}
			}
		})
	}
}

// From no wait at all to some is growth.
func TestFirstRetryAtOnce(t *testing.T) {
	h := habit{wait: func(r *rand.Rand, k int) time.Duration {
		if k == 1 {
			return 0
		}
		return between(r, 0, doubling(k))
	}}
	if v := Judge(growingWaits(), simulate(rand.New(rand.NewPCG(1, 2)), h, 100, 0)); v.Result != Pass {
		t.Errorf("got %s (%s), want pass", v.Result, v.Detail)
	}
	h.wait = func(*rand.Rand, int) time.Duration { return 0 }
	if v := Judge(growingWaits(), simulate(rand.New(rand.NewPCG(1, 2)), h, 100, 0)); v.Result != Fail {
		t.Errorf("got %s (%s), want fail: it never waits", v.Result, v.Detail)
	}
}
