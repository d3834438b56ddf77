// Package report turns a judgement into what people and machines read: lines on a terminal, report.json, junit.xml, transcripts.
//
// Whatever a client sent or said is made harmless before it is shown.
package report

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/portrait"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Schema names the form of report.json.
const Schema = "brownout.report/v1"

// Report is what a run found out, ready to be written.
type Report struct {
	Schema string      `json:"schema"`
	Tool   Tool        `json:"tool"`
	Client drive.Hello `json:"client"`
	Args   string      `json:"args"` // how the command line named the client
	Seed   uint64      `json:"seed"`
	Strict bool        `json:"strict"` // a broken SHOULD is not conformant either
	// Interrupted tells that the run was cut short: only rules whose scenarios had been played to their end were judged.
	Interrupted bool                  `json:"interrupted"`
	HintRule    suites.HintRule       `json:"hint_rule"` // whose word on Retry-After counted
	Runs        int                   `json:"runs"`      // how often everything was played; the seeds follow each other
	Baseline    suites.Baseline       `json:"baseline,omitempty"`
	Portrait    portrait.Portrait     `json:"portrait"` // how the client was seen to behave
	Profiles    []suites.Standing     `json:"profiles"` // of which all rules were judged
	Verdict     suites.Outcome        `json:"verdict"`
	Rules       []Entry               `json:"rules"`
	Summary     map[suites.Result]int `json:"summary"`

	transcripts []saved
	judgement   suites.Judgement // of all runs together
}

// Tool is who made the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Entry is one rule and what came of it.
type Entry struct {
	ID         suites.RuleID                 `json:"id"`
	Level      suites.Level                  `json:"level"`
	Family     suites.Family                 `json:"family"`
	Profile    suites.Profile                `json:"profile"`
	Statement  string                        `json:"statement"`
	Source     string                        `json:"source"`
	By         string                        `json:"judged_by,omitempty"` // where a variant of the rule counted
	Why        string                        `json:"why"`
	Scenario   scenarios.Name                `json:"scenario"`
	Result     suites.Result                 `json:"result"`
	Detail     string                        `json:"detail,omitempty"`
	Findings   []suites.Finding              `json:"findings,omitempty"`
	Measured   map[string]string             `json:"measured,omitempty"`
	Rates      map[suites.Result]suites.Rate `json:"rates,omitempty"`      // where everything was played more than once
	Accepted   string                        `json:"accepted,omitempty"`   // why the baseline puts up with it
	Stale      string                        `json:"stale,omitempty"`      // how the baseline's entry is no longer true
	Transcript string                        `json:"transcript,omitempty"` // path below the report's folder
	Reproduce  string                        `json:"reproduce"`

	ops map[string]transcript.Op // those with findings, by id, for the timeline
}

// saved is a transcript and the name of its file.
type saved struct {
	file string
	transcript.Transcript
}

// Subject says what was judged and how it is asked for again.
type Subject struct {
	Client   drive.Hello
	Seed     uint64
	Args     string // how the command line named the client, with what else has to be said again: "--listen 127.0.0.1:8080 --client curl"
	Version  string // of this tool
	Strict   bool
	HintRule suites.HintRule // "" = that of RFC 9110
	Baseline suites.Baseline
}

// New puts the judgements of one run, or of several whose seeds follow each other, into a report.
func New(s Subject, rules []suites.Rule, runs ...suites.Judgement) Report {
	j, worst := suites.Together(runs)
	j.Verdicts = s.Baseline.Apply(j.Verdicts)
	r := Report{
		Schema:      Schema,
		Tool:        Tool{Name: "brownout", Version: s.Version},
		Client:      s.Client,
		Args:        s.Args,
		Seed:        s.Seed,
		Strict:      s.Strict,
		Interrupted: j.Interrupted,
		HintRule:    cmp.Or(s.HintRule, suites.ByRFC),
		Runs:        len(runs),
		Baseline:    s.Baseline,
		Profiles:    suites.Standings(suites.Rules(), rules, j.Verdicts),
		Verdict:     j.Outcome(rules, s.Strict),
		Summary:     maps.Clone(j.Count()),
		judgement:   j,
	}
	var first []transcript.Transcript // of all runs, without what was played again
	played := make([]map[scenarios.Name]saved, len(runs))
	for n, run := range runs {
		played[n] = map[scenarios.Name]saved{}
		for _, t := range run.Transcripts {
			played[n][scenarios.Name(t.Scenario)] = saved{runFolder(n) + t.Scenario + ".json", t}
			r.transcripts = append(r.transcripts, played[n][scenarios.Name(t.Scenario)])
			first = append(first, t)
		}
		for _, t := range run.Again {
			r.transcripts = append(r.transcripts, saved{runFolder(n) + t.Scenario + AgainSuffix, t})
		}
	}
	r.Portrait = portrait.Of(first)
	rates := suites.Rates(runs)
	for i, rule := range rules {
		e := entry(s, rule, j.Verdicts[i], uint64(worst[i]), played[worst[i]])
		if len(runs) > 1 {
			e.Rates = rates[i]
		}
		r.Rules = append(r.Rules, e)
	}
	return r
}

// runFolder is the folder of a run's transcripts, below that of all; the first has none of its own.
func runFolder(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s%d/", runPrefix, n+1)
}

// runPrefix begins the name of a folder with the transcripts of the second or a later run.
const runPrefix = "run-"

// AgainSuffix ends the file name of a transcript whose scenario was played again.
const AgainSuffix = ".again.json"

func entry(s Subject, rule suites.Rule, v suites.Verdict, run uint64, played map[scenarios.Name]saved) Entry {
	e := Entry{
		ID: rule.ID, Level: rule.Level, Family: rule.Family, Profile: rule.Profile,
		Statement: rule.Says, Source: rule.Source, By: rule.By, Why: rule.Why, Scenario: rule.Under,
		Result: v.Result, Detail: v.Detail, Findings: v.Findings, Measured: v.Measured, Accepted: v.Accepted, Stale: v.Stale,
		Reproduce: strings.TrimSpace(fmt.Sprintf("brownout run --rules %s --seed %d %s", rule.ID, s.Seed+run, s.Args)),
		ops:       map[string]transcript.Op{},
	}
	t, ok := played[rule.Under]
	if !ok {
		return e
	}
	e.Transcript = filepath.Join(transcriptsDir, t.file)
	for _, op := range t.Ops() {
		e.ops[string(op.ID)] = op
	}
	return e
}
