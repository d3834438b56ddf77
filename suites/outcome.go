package suites

// Outcome is what a whole run says of a client.
type Outcome string

const (
	Conformant    Outcome = "conformant"
	NotConformant Outcome = "not-conformant"
	Undecided     Outcome = "inconclusive"
)

// Outcome of a judgement: inconclusive if the run was cut short, since a failure that was not played again is no proof; not conformant if a
// MUST is broken (with strict, a SHOULD as well) or a baseline is stale; inconclusive also if a MUST could not be decided, or if nothing at all
// was tested; else conformant. What a baseline accepts was tested, and is no more than that.
func (j Judgement) Outcome(rules []Rule, strict bool) Outcome {
	if j.Interrupted {
		return Undecided
	}
	passed, undecided := false, false
	for i, v := range j.Verdicts {
		switch {
		case v.Stale != "":
			return NotConformant
		case v.Accepted != "":
			passed = true
			continue
		}
		switch v.Result {
		case Fail:
			return NotConformant
		case Warn:
			if strict {
				return NotConformant
			}
			passed = true
		case Pass, Observed:
			passed = true
		case Inconclusive, Broken:
			undecided = undecided || rules[i].Level.broken() == Fail || strict
		}
	}
	if undecided || !passed {
		return Undecided
	}
	return Conformant
}

// Count tells how many verdicts have each result.
func (j Judgement) Count() map[Result]int {
	n := map[Result]int{}
	for _, r := range Results() {
		n[r] = 0
	}
	for _, v := range j.Verdicts {
		n[v.Result]++
	}
	return n
}
