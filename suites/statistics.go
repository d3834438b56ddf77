package suites

import (
	"math"
	"slices"

	"github.com/brownout-dev/brownout/suites/sample"
)

// deviation is the standard deviation of a sample; zero for fewer than two.
func deviation(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	m, sum := sample.Mean(xs), 0.0
	for _, x := range xs {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(xs)-1))
}

// mostWithin is the largest share of a sample that lies within width of each other.
func mostWithin(xs []float64, width float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	most, low := 0, 0
	for high := range s {
		for s[high]-s[low] > width {
			low++
		}
		most = max(most, high-low+1)
	}
	return float64(most) / float64(len(s))
}

// rankCorrelation is Spearman's rho of two samples of the same length: 1 where the larger of one goes with the larger of the other, 0 where they
// have nothing to do with each other. Equal values share their mean rank.
func rankCorrelation(xs, ys []float64) float64 {
	rx, ry := ranks(xs), ranks(ys)
	mx, my := sample.Mean(rx), sample.Mean(ry)
	var xy, xx, yy float64
	for i := range rx {
		dx, dy := rx[i]-mx, ry[i]-my
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

func ranks(xs []float64) []float64 {
	sorted := slices.Sorted(slices.Values(xs))
	ranks := make([]float64, len(xs))
	for i, x := range xs {
		first, _ := slices.BinarySearch(sorted, x)
		next, _ := slices.BinarySearch(sorted, math.Nextafter(x, math.Inf(1)))
		ranks[i] = float64(first+next-1) / 2
	}
	return ranks
}

// confidence is how many standard errors a statistic must be on the wrong side to break a rule. An honest client gets there with a chance
// below 1e-3 in one play; as a finding has to come again in a second play, the chance of a false alarm is below 1e-6.
const confidence = 3.3

// falseAlarm is the chance of an honest client to break a rule in one play, where it is computed and not counted in standard errors.
const falseAlarm = 1e-3

// uncertainty is the factor by which a product or quotient of means, with these relative errors, may be off.
func uncertainty(relativeErrors ...float64) float64 {
	sum := 0.0
	for _, e := range relativeErrors {
		sum += e * e
	}
	return math.Exp(confidence * math.Sqrt(sum))
}

// meanError is the relative standard error of a sample's mean.
func meanError(xs []float64) float64 {
	n := float64(len(xs))
	m := sample.Mean(xs)
	if m <= 0 {
		return 0
	}
	return deviation(xs) / m / math.Sqrt(n) * (1 + smallSample/n)
}

// smallSample widens the error of small samples, whose deviation is itself a matter of luck: by half for eight values, twice for four.
const smallSample = 4
