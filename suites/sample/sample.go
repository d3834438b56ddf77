// Package sample has what rules and portrait both ask of a number of values.
package sample

import "slices"

// Mean is the average; of no values it is not a number.
func Mean(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// Median is the value in the middle, or the average of the two that are there. It wants a value.
func Median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}
