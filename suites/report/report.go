// Package report turns a judgement into what people and machines read: lines on a terminal, report.json, junit.xml, transcripts.
//
// Whatever a client sent or said is made harmless before it is shown.
package report

import (
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
	Portrait    portrait.Portrait     `json:"portrait"` // how the client was seen to behave
	Verdict     suites.Outcome        `json:"verdict"`
	Rules       []Entry               `json:"rules"`
	Summary     map[suites.Result]int `json:"summary"`

	transcripts []saved
}

// Tool is who made the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Entry is one rule and what came of it.
type Entry struct {
	ID         suites.RuleID     `json:"id"`
	Level      suites.Level      `json:"level"`
	Family     suites.Family     `json:"family"`
	Profile    suites.Profile    `json:"profile"`
	Statement  string            `json:"statement"`
	Source     string            `json:"source"`
	Why        string            `json:"why"`
	Scenario   scenarios.Name    `json:"scenario"`
	Result     suites.Result     `json:"result"`
	Detail     string            `json:"detail,omitempty"`
	Findings   []suites.Finding  `json:"findings,omitempty"`
	Measured   map[string]string `json:"measured,omitempty"`
	Transcript string            `json:"transcript,omitempty"` // path below the report's folder
	Reproduce  string            `json:"reproduce"`

	ops map[string]transcript.Op // those with findings, by id, for the timeline
}

// saved is a transcript and the name of its file.
type saved struct {
	file string
	transcript.Transcript
}

// Subject says what was judged and how it is asked for again.
type Subject struct {
	Client  drive.Hello
	Seed    uint64
	Args    string // how the command line named the client, with what else has to be said again: "--listen 127.0.0.1:8080 --client curl"
	Version string // of this tool
	Strict  bool
}

// New puts a judgement of rules into a report.
func New(s Subject, rules []suites.Rule, j suites.Judgement) Report {
	r := Report{
		Schema:      Schema,
		Tool:        Tool{Name: "brownout", Version: s.Version},
		Client:      s.Client,
		Args:        s.Args,
		Seed:        s.Seed,
		Strict:      s.Strict,
		Interrupted: j.Interrupted,
		Portrait:    portrait.Of(j.Transcripts),
		Verdict:     j.Outcome(rules, s.Strict),
		Summary:     maps.Clone(j.Count()),
	}
	played := map[string]transcript.Transcript{}
	for _, t := range j.Transcripts {
		played[t.Scenario] = t
		r.transcripts = append(r.transcripts, saved{t.Scenario + ".json", t})
	}
	for _, t := range j.Again {
		r.transcripts = append(r.transcripts, saved{t.Scenario + AgainSuffix, t})
	}
	for i, rule := range rules {
		r.Rules = append(r.Rules, entry(s, rule, j.Verdicts[i], played))
	}
	return r
}

// AgainSuffix ends the file name of a transcript whose scenario was played again.
const AgainSuffix = ".again.json"

func entry(s Subject, rule suites.Rule, v suites.Verdict, played map[string]transcript.Transcript) Entry {
	e := Entry{
		ID: rule.ID, Level: rule.Level, Family: rule.Family, Profile: rule.Profile,
		Statement: rule.Says, Source: rule.Source, Why: rule.Why, Scenario: rule.Under,
		Result: v.Result, Detail: v.Detail, Findings: v.Findings, Measured: v.Measured,
		Reproduce: strings.TrimSpace(fmt.Sprintf("brownout run --rules %s --seed %d %s", rule.ID, s.Seed, s.Args)),
		ops:       map[string]transcript.Op{},
	}
	t, ok := played[string(rule.Under)]
	if !ok {
		return e
	}
	e.Transcript = filepath.Join(transcriptsDir, t.Scenario+".json")
	for _, op := range t.Ops() {
		e.ops[string(op.ID)] = op
	}
	return e
}
