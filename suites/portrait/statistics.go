package portrait

import (
	"math"
)

// farthest is the largest distance between the distribution of a sorted sample and an even one from low to high.
func farthest(sorted []float64, low, high float64) float64 {
	n, d := float64(len(sorted)), 0.0
	for i, x := range sorted {
		at := (x - low) / (high - low)
		d = max(d, at-float64(i)/n, float64(i+1)/n-at)
	}
	return d
}

// kolmogorov is the chance that an honest sample of n is as far off as d, or farther (Kolmogorov 1933, with Stephens' correction of 1970 for
// small samples).
func kolmogorov(n int, d float64) float64 {
	root := math.Sqrt(float64(n))
	lambda := (root + 0.12 + 0.11/root) * d
	if lambda < 0.2 {
		return 1 // the series below is too slow there, and within 1e-12 of it
	}
	p, sign := 0.0, 1.0
	for j := 1.0; j <= 100; j++ {
		term := math.Exp(-2 * j * j * lambda * lambda)
		p += sign * term
		if term < 1e-12 {
			break
		}
		sign = -sign
	}
	return min(1, max(0, 2*p))
}
