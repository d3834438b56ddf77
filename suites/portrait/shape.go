package portrait

import (
	"math"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/sample"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Shape is how a sample of first waits is spread, and how well that fits: P is the chance that waits of this kind are spread as unevenly as
// these, or more.
type Shape struct {
	Samples int          `json:"samples"`
	Kind    drive.Jitter `json:"kind,omitempty"`   // "" = too few samples, or of no known kind
	Uneven  bool         `json:"uneven,omitempty"` // spread, and of no known kind
	Percent float64      `json:"percent,omitempty"`
	P       float64      `json:"p,omitempty"`         // of Kind; not for none, which is seen and not tested
	Claimed *float64     `json:"p_claimed,omitempty"` // of the kind that is claimed; nil = none is, or there are too few samples
	Low     clock.Span   `json:"low"`                 // the ends of the spread, as estimated
	High    clock.Span   `json:"high"`
}

// fewest is how many waits it takes to see how they are spread.
const fewest = 20

// unfit is the chance below which a kind of jitter is ruled out.
const unfit = 1e-3

// refuted is the chance below which a claimed kind is contradicted: it takes one play to say so, where a rule's finding takes two.
const refuted = 1e-5

// A twentieth of a sample is left out at either end: lateness reaches the largest waits first, and what lies between two ranks of an even
// sample is even again, whatever its ends are.
const trimmed = 20

// alike is by how much, relative to their median, waits without jitter may differ.
const alike = 0.02

// earliest is how many waits in a hundred must be alike: lateness reaches the others first.
const earliest = 60

// buried is how many times what the machine does to a wait a usual one must be, for its jitter to show.
const buried = 5

// shape finds the kind of jitter that fits best.
func shape(all []series, claims drive.Claims) Shape {
	var xs []float64
	var late time.Duration
	for _, s := range all {
		xs = append(xs, s.waits[0])
		late = max(late, s.late)
	}
	slices.Sort(xs)
	s := Shape{Samples: len(xs)}
	if len(xs) == 0 {
		return s
	}
	s.Low, s.High = span(xs[0]), span(xs[len(xs)-1])
	if len(xs) < fewest {
		return s
	}
	slack := (transcript.Starved*late + transcript.TimerSlack).Seconds()
	width := max(alike*sample.Median(xs), 2*slack)
	if width > sample.Median(xs)/buried {
		return s
	}
	if early := xs[len(xs)*earliest/100]; early-xs[0] <= width {
		s.Kind, s.Low, s.High = drive.NoJitter, span(sample.Median(xs)), span(sample.Median(xs))
		if claims.Jitter != "" {
			s.Claimed = new(float64)
			if claims.Jitter == drive.NoJitter || claims.Jitter == drive.PercentJitter && claims.JitterPercent/100 <= alike {
				*s.Claimed = 1
			}
		}
		return s
	}
	f := fitting(xs, slack)
	s.Low, s.High = span(f.low), span(f.high)
	for _, kind := range []drive.Jitter{drive.FullJitter, drive.DecorrelatedJitter, drive.EqualJitter} {
		if p := f.of(kind, 0); p >= unfit && p > s.P {
			s.Kind, s.P = kind, p
		}
	}
	if s.Kind == "" && f.even >= unfit {
		s.Kind, s.P, s.Percent = drive.PercentJitter, f.even, 100*(f.high-f.low)/(f.high+f.low)
	}
	s.Uneven = s.Kind == ""
	if claims.Jitter != "" && !cutByItsCap(xs, claims) {
		s.Claimed = new(f.of(claims.Jitter, claims.JitterPercent))
	}
	return s
}

// cutByItsCap tells whether first waits are what the claimed cap leaves of decorrelated jitter: it draws up to three times the base at once, and
// what is above the cap is the cap itself, so that they are spread as no kind of jitter is.
func cutByItsCap(sorted []float64, claims drive.Claims) bool {
	limit := claims.Cap()
	return claims.Jitter == drive.DecorrelatedJitter && limit > 0 && sorted[len(sorted)-1] >= (limit-transcript.TimerSlack).Seconds()
}

// base is the first wait before its jitter, in seconds; 0 = not known.
func (s Shape) base() float64 {
	low, high := time.Duration(s.Low).Seconds(), time.Duration(s.High).Seconds()
	switch s.Kind {
	case drive.FullJitter, drive.EqualJitter, drive.NoJitter:
		return high
	case drive.DecorrelatedJitter:
		return low
	case drive.PercentJitter:
		return (low + high) / 2
	}
	return 0
}

// fit is a sorted sample, held against even spread.
type fit struct {
	inner     []float64 // without what was trimmed
	n         int
	even      float64 // the chance of being so uneven, whatever the ends
	low, high float64 // the ends, as the inner ranks have them
	slack     float64
}

func fitting(sorted []float64, slack float64) fit {
	n := len(sorted)
	cut := n / trimmed
	f := fit{inner: sorted[cut : n-cut], n: n, slack: slack}
	first, last := f.inner[0], f.inner[len(f.inner)-1]
	between := f.inner[1 : len(f.inner)-1]
	f.even = kolmogorov(len(between), farthest(between, first, last))
	step := (last - first) / float64(len(f.inner)-1) // of a rank
	f.low, f.high = max(0, first-step*float64(cut+1)), last+step*float64(cut+1)
	return f
}

// of is the chance that jitter of a kind is spread as unevenly, or has its ends as far from where they belong: each of two tests may rule it
// out, so each gets half.
func (f fit) of(kind drive.Jitter, percent float64) float64 {
	ratio := 0.0 // of the low end to the high one
	switch kind {
	case drive.NoJitter:
		return 0
	case drive.EqualJitter:
		ratio = 1. / 2
	case drive.DecorrelatedJitter:
		ratio = 1. / 3
	case drive.PercentJitter:
		ratio = (100 - percent) / (100 + percent)
	}
	// low - ratio x high, as estimated, is a sum of the ranks q and 1-q, with these weights; in an even sample of unit length both have
	// the variance q(1-q)/(n+2), and the covariance is q^2/(n+2).
	q, length := (float64(f.n/trimmed)+1)/float64(f.n+1), f.high-f.low
	a, b := 1-q+ratio*q, q+ratio*(1-q)
	deviation := length * math.Sqrt((q*(1-q)*(a*a+b*b)-2*a*b*q*q)/float64(f.n+2)) / (1 - 2*q)
	off := max(0, math.Abs(f.low-ratio*f.high)-f.slack)
	ends := math.Erfc(off / deviation / math.Sqrt2)
	return min(1, 2*min(f.even, ends))
}
