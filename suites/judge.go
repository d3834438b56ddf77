package suites

import (
	"maps"
	"slices"
	"strings"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Judge judges one rule over a transcript of its scenario. It is pure: the same transcript gives the same verdict.
//
// What was found goes first; then what was in doubt; then whether the rule was exercised at all. A rule that nothing was expected of,
// and a play in which a planned fault never struck, is never a pass.
func Judge(r Rule, t transcript.Transcript) Verdict {
	v := judge(r, t)
	if r.By != "" {
		v.Detail = strings.TrimPrefix(v.Detail+"; "+r.By, "; ")
	}
	return v
}

func judge(r Rule, t transcript.Transcript) Verdict {
	if t.Failure != "" {
		return Verdict{Rule: r.ID, Result: Broken, Detail: "the fake failed: " + t.Failure}
	}
	b := newBench(r, t)
	r.Holds(b, b.withoutCrossings(t))
	v := Verdict{Rule: r.ID, Measured: b.measured}
	switch {
	case len(b.findings) > 0:
		gravestFirst(b.findings)
		v.Findings, v.Result, v.Detail = b.findings, worst(b.findings), summary(b.findings)
	case adapterTrouble(t) != "":
		v.Result, v.Detail = Broken, adapterTrouble(t)
	case len(b.doubts) > 0:
		v.Result, v.Detail = Inconclusive, strings.Join(b.doubts, "; ")
	case b.vacuous != "":
		v.Result, v.Detail = b.unexercised(), b.vacuous
	case b.expected == 0:
		v.Result, v.Detail = b.unexercised(), strings.Join(slices.Compact(b.unseen), "; ")
	case b.neverStruck(t) != "":
		v.Result, v.Detail = NotTested, b.neverStruck(t)
	default:
		v.Result, v.Detail = Pass, strings.Join(slices.Compact(b.unseen), "; ")
	}
	return v
}

// gravestFirst puts findings that only advise behind those that the verdict rests on; it is the first that people are shown.
func gravestFirst(findings []Finding) {
	order := []Result{Fail, Warn, Observed}
	slices.SortStableFunc(findings, func(a, b Finding) int { return slices.Index(order, a.result) - slices.Index(order, b.result) })
}

// worst is the gravest result among findings: a rule of a higher level may advise on a case that it cannot prove.
func worst(findings []Finding) Result {
	for _, r := range []Result{Fail, Warn, Observed} {
		if slices.ContainsFunc(findings, func(f Finding) bool { return f.result == r }) {
			return r
		}
	}
	return Fail
}

// adapterTrouble is what was wrong with the adapter itself: then what the client did is not known. What a client leaves running that the
// play had to give up on is a finding of its own, and no trouble.
func adapterTrouble(t transcript.Transcript) string {
	gaveUp := false
	for _, op := range t.Operations {
		if op.Trouble != "" && !op.GaveUp {
			return "the adapter failed: " + op.Trouble
		}
		gaveUp = gaveUp || op.GaveUp
	}
	if len(t.Trouble) > 0 && !gaveUp {
		return "the adapter failed: " + t.Trouble[0]
	}
	return ""
}

// neverStruck names a case that was judged although its planned faults struck none of its operations.
func (b *Bench) neverStruck(t transcript.Transcript) string {
	struck, sound := map[string]bool{}, faults.Script{}.String()
	for _, op := range t.Ops() {
		fired := slices.ContainsFunc(op.Decisions, func(d journal.Decision) bool { return d.Result == journal.Fired })
		struck[op.Case] = struck[op.Case] || fired || op.Script == sound
	}
	for _, c := range slices.Sorted(maps.Keys(struck)) {
		if looked := len(b.judged) == 0 || b.judged[c]; looked && !struck[c] {
			return c + ": the planned fault never struck"
		}
	}
	return ""
}
