package suites

import (
	"math"
	"slices"
)

// Together makes one judgement of several runs of the same rules. Of each rule it takes the worst verdict that is confirmed: a run confirms its own
// findings, so one failure is a failure, however often the rule held beside it; what a run could not decide is settled by one that could.
// The transcripts are those of the run that each verdict is taken from; runs tells which, by rule.
func Together(all []Judgement) (j Judgement, runs []int) {
	j = all[0]
	j.Verdicts = slices.Clone(j.Verdicts)
	runs = make([]int, len(j.Verdicts))
	for n, other := range all[1:] {
		j.Interrupted = j.Interrupted || other.Interrupted
		for i, v := range other.Verdicts {
			if gravity(v.Result) > gravity(j.Verdicts[i].Result) {
				j.Verdicts[i], runs[i] = v, n+1
			}
		}
	}
	return j, runs
}

// gravity orders results by what they say of a client, the least first.
func gravity(r Result) int {
	return slices.Index([]Result{Unsupported, NotTested, Inconclusive, Broken, Pass, Observed, Warn, Fail}, r)
}

// Rate is how often a rule had a result, and between which rates that lies if it had been played for ever, in 95 cases of 100 (Wilson 1927, the
// score interval).
type Rate struct {
	Times int     `json:"times"`
	Of    int     `json:"of"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Rates gives, for each rule of several runs, how often it had each result that it had.
func Rates(all []Judgement) []map[Result]Rate {
	rates := make([]map[Result]Rate, len(all[0].Verdicts))
	for i := range rates {
		n := map[Result]int{}
		for _, j := range all {
			n[j.Verdicts[i].Result]++
		}
		rates[i] = make(map[Result]Rate, len(n))
		for result, times := range n {
			low, high := wilson(times, len(all))
			rates[i][result] = Rate{times, len(all), low, high}
		}
	}
	return rates
}

// wilson is the 95 % score interval of a rate.
func wilson(times, of int) (low, high float64) {
	const z = 1.959964 // of the normal distribution, at 97.5 %
	n := float64(of)
	p := float64(times) / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}
