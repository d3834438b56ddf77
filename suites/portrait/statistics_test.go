package portrait

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// drawn draws first waits with a jitter of a known kind around 100 ms.
func drawn(r *rand.Rand, n int, low, high float64) (all []series) {
	for range n {
		all = append(all, series{waits: []float64{(low + (high-low)*r.Float64()) / 10}})
	}
	return all
}

func TestKolmogorovTable(t *testing.T) {
	// Critical values of D for n = 20 and 50 (Massey, The Kolmogorov-Smirnov Test for Goodness of Fit, 1951).
	for _, tt := range []struct {
		n    int
		d, p float64
	}{{20, 0.294, 0.05}, {20, 0.356, 0.01}, {50, 1.36 / math.Sqrt(50), 0.05}, {200, 1.63 / math.Sqrt(200), 0.01}} {
		if got := kolmogorov(tt.n, tt.d); math.Abs(got-tt.p) > 0.15*tt.p {
			t.Errorf("n %d, D %.3f: got p %.4f, want about %.2f", tt.n, tt.d, got, tt.p)
		}
	}
	if got := kolmogorov(100, 0); got != 1 {
		t.Errorf("got p %v of what fits exactly, want 1", got)
	}
}

// TestJitterIsTold draws many samples of each kind. The kind is to be told in nearly all of them, and the right claim is never to be refuted.
func TestJitterIsTold(t *testing.T) {
	const runs = 400
	tests := []struct {
		name      string
		low, high float64 // of the waits, where the base is 1
		claims    drive.Claims
		wrong     drive.Claims // that is refuted
		base      time.Duration
		reason    string
	}{
		{"full", 0, 1, drive.Claims{Jitter: drive.FullJitter}, drive.Claims{Jitter: drive.EqualJitter}, 100 * time.Millisecond, "U(0, c)"},
		{"equal", 0.5, 1, drive.Claims{Jitter: drive.EqualJitter}, drive.Claims{Jitter: drive.FullJitter}, 100 * time.Millisecond, "U(c/2, c)"},
		{"decorrelated", 1, 3, drive.Claims{Jitter: drive.DecorrelatedJitter}, drive.Claims{Jitter: drive.FullJitter}, 100 * time.Millisecond, "U(base, 3 base)"},
		{"percent", 0.8, 1.2, drive.Claims{Jitter: drive.PercentJitter, JitterPercent: 20}, drive.Claims{Jitter: drive.PercentJitter, JitterPercent: 5}, 100 * time.Millisecond, "a fifth either way"},
		{"none", 1, 1.001, drive.Claims{Jitter: drive.NoJitter}, drive.Claims{Jitter: drive.FullJitter}, 100 * time.Millisecond, "always the same"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			mistaken, slipped := 0, 0
			for range runs {
				all := drawn(r, 200, tt.low, tt.high)
				right, wrong := shape(all, tt.claims), shape(all, tt.wrong)
				if right.Kind != tt.claims.Jitter {
					mistaken++
				}
				if *right.Claimed < refuted {
					t.Errorf("got p %g for the right claim: %s", *right.Claimed, tt.reason)
				}
				if *wrong.Claimed >= refuted {
					slipped++
				}
				if got := right.base(); right.Kind == tt.claims.Jitter && math.Abs(got-tt.base.Seconds()) > 0.15*tt.base.Seconds() {
					t.Errorf("got a base of %.3f s, want %v within 15 %%", got, tt.base)
				}
			}
			if mistaken > runs/100 || slipped > runs/100 {
				t.Errorf("of %d samples, %d were taken for another kind, and %d did not refute %v; want 1 in 100 at the most: %s", runs, mistaken, slipped, tt.wrong, tt.reason)
			}
		})
	}
}

// TestOddJitter wants no name for what is spread unevenly, and no word on what the machine itself may have made.
func TestOddJitter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var steps, short []series
	for i := range 200 {
		steps = append(steps, series{waits: []float64{float64(1+i%3) / 10}})
		short = append(short, series{waits: []float64{r.Float64() / 1000}, late: time.Millisecond})
	}
	if got := shape(steps, drive.Claims{}); got.Kind != "" || !got.Uneven {
		t.Errorf("got %+v of waits in whole steps, want no kind and uneven", got)
	}
	if got := shape(short, drive.Claims{Jitter: drive.NoJitter}); got.Kind != "" || got.Uneven || got.Claimed != nil {
		t.Errorf("got %+v of waits that the machine's lateness could have made, want nothing told", got)
	}
	if got := shape(drawn(r, fewest-1, 0, 1), drive.Claims{Jitter: drive.NoJitter}); got.Kind != "" || got.Claimed != nil {
		t.Errorf("got %+v of too few waits, want nothing told", got)
	}
}

// TestLatenessIsNoJitter makes a third of the waits late, as a busy machine does.
func TestLatenessIsNoJitter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []series
	for range 200 {
		late := 0.0
		if r.IntN(3) == 0 {
			late = r.ExpFloat64() / 50
		}
		all = append(all, series{waits: []float64{0.1 + late}})
	}
	if got := shape(all, drive.Claims{}); got.Kind != drive.NoJitter {
		t.Errorf("got %+v, want no jitter", got)
	}
	if !slices.ContainsFunc(all, func(s series) bool { return s.waits[0] > 0.13 }) {
		t.Error("got no late wait: the test proves nothing")
	}
}
