package suites

import (
	"context"
	"fmt"
	"slices"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Run is one judgement of a client: which rules, in which lab, how many plays at once.
type Run struct {
	Lab   lab.Lab
	Rules []Rule
	Jobs  int  // plays at once; 0 = DefaultJobs
	Once  bool // what was not held is not played again: for labs in which a second play cannot differ
	// Progress is told of each play as it ends; nil is fine. It is called from one goroutine at a time.
	Progress func(Progress)
}

// DefaultJobs is how many plays run at once. Plays mostly wait, so a small machine carries several; how late its timers were is measured.
const DefaultJobs = 16

// Progress is how far a run has come.
type Progress struct {
	Scenario scenarios.Name
	Done, Of int
	Again    bool // it was a second play, to see whether a failure comes again
}

// Judgement is what a run found out.
type Judgement struct {
	Verdicts    []Verdict               // one per rule, in the rules' order
	Transcripts []transcript.Transcript // one per scenario, in order of first need
	Again       []transcript.Transcript // of the plays that were repeated alone
	Interrupted bool
}

// Do drives the client through every scenario that the rules need, judges the transcripts, and plays again whatever was not held, alone
// where time matters: a failure that does not come again is inconclusive. When ctx ends early, what was played by then is judged.
func (r Run) Do(ctx context.Context) (Judgement, error) {
	if len(r.Rules) == 0 {
		return Judgement{}, fmt.Errorf("no rule is selected: an empty run proves nothing")
	}
	needed, err := r.scenarios()
	if err != nil {
		return Judgement{}, err
	}
	jobs := r.Jobs
	if jobs == 0 {
		jobs = DefaultJobs
	}
	played := r.play(ctx, needed, jobs)
	if played.failed != nil {
		return Judgement{}, played.failed
	}
	first, again := played.first, played.again
	j := Judgement{Verdicts: Settle(r.Rules, r.Lab.Carrier.Hello(), first, again), Interrupted: ctx.Err() != nil}
	if j.Interrupted {
		j.Verdicts = Unconfirmed(r.Rules, j.Verdicts, again)
	}
	for _, s := range needed {
		if t, ok := first[s.Name]; ok {
			j.Transcripts = append(j.Transcripts, t)
		}
		if t, ok := again[s.Name]; ok {
			j.Again = append(j.Again, t)
		}
	}
	return j, nil
}

// scenarios reads what the rules are judged under, each once.
func (r Run) scenarios() ([]scenarios.Scenario, error) {
	var needed []scenarios.Scenario
	client := r.Lab.Carrier.Hello()
	for _, rule := range r.Rules {
		if rule.spares(client) != nil {
			continue
		}
		if slices.ContainsFunc(needed, func(s scenarios.Scenario) bool { return s.Name == rule.Under }) {
			continue
		}
		s, err := scenarios.Named(rule.Under)
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", rule.ID, err)
		}
		needed = append(needed, s)
	}
	return needed, nil
}

// Settle judges rules over the transcripts of the scenarios that were played, and of those that were played again. It is pure: over
// saved transcripts it gives the verdicts of the run that saved them. Some rules are not for every client, and were not played for it.
func Settle(rules []Rule, client drive.Hello, first, again map[scenarios.Name]transcript.Transcript) []Verdict {
	verdicts := make([]Verdict, len(rules))
	for i, rule := range rules {
		t, ok := first[rule.Under]
		if spared := rule.spares(client); spared != nil {
			verdicts[i] = *spared
			continue
		}
		if !ok {
			verdicts[i] = Verdict{Rule: rule.ID, Result: NotTested, Detail: "its scenario " + string(rule.Under) + " was not played to its end"}
			continue
		}
		verdicts[i] = Judge(rule, t)
		if t, ok := again[rule.Under]; ok && notHeld(verdicts[i]) {
			verdicts[i] = agree(verdicts[i], Judge(rule, t))
		}
	}
	return verdicts
}

// Unconfirmed gives the verdicts of a run that was cut short: a finding that was not played again is not proved.
func Unconfirmed(rules []Rule, verdicts []Verdict, again map[scenarios.Name]transcript.Transcript) []Verdict {
	verdicts = slices.Clone(verdicts)
	for i, v := range verdicts {
		if _, played := again[rules[i].Under]; !played && len(v.Findings) > 0 && !onlyAdvice(rules[i], v) {
			verdicts[i].Result = Inconclusive
			verdicts[i].Detail = fmt.Sprintf("%s once, and cut short before it was played again: %s", v.Result, v.Detail)
		}
	}
	return verdicts
}

// notHeld tells whether a verdict deserves a second look.
func notHeld(v Verdict) bool {
	return slices.Contains([]Result{Fail, Warn, Observed, Inconclusive, Broken}, v.Result)
}

// onlyAdvice tells whether all findings are weaker than the rule's level makes them.
func onlyAdvice(r Rule, v Verdict) bool {
	return len(v.Findings) > 0 && !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.result == r.Level.broken() })
}

// agree weighs a verdict against that of a second play, alone. A finding stands only if both plays have it; a doubt is settled by a second play that has none.
func agree(first, second Verdict) Verdict {
	if first.Result == second.Result {
		return first
	}
	if first.Result == Inconclusive && !notHeld(second) {
		return second
	}
	return Verdict{
		Rule:     first.Rule,
		Result:   Inconclusive,
		Detail:   fmt.Sprintf("two plays disagree: %s (%s); played again: %s (%s)", first.Result, first.Detail, second.Result, second.Detail),
		Findings: first.Findings,
		Measured: first.Measured,
	}
}
