package suites

import (
	"math"
	"slices"
	"time"
)

func mean(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// deviation is the standard deviation of a sample; zero for fewer than two.
func deviation(xs []float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	m, sum := mean(xs), 0.0
	for _, x := range xs {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(xs)-1))
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

// medianError is the relative standard error of a sample's median, from its interquartile range: for a wide class of distributions
// the error of the median is about 1.25 deviations over the root of the sample's size, and of the even distribution 1.73.
func medianError(xs []float64) float64 {
	m := median(xs)
	if m <= 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(xs))
	spread := s[len(s)*3/4] - s[len(s)/4] // half the range of an even distribution
	return spread / math.Sqrt(float64(len(xs))) / m
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

// confidence is how many standard deviations a statistic must be on the wrong side before it is a finding: the chance that an honest
// client is there is below 1e-6.
const confidence = 4.9

func seconds(s float64) string { return show(time.Duration(s * float64(time.Second))) }
