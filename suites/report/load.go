package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Saved is what a run, or several together, left behind. Asked is nil without a report.json.
type Saved struct {
	Runs  []Plays // one, unless everything was played more than once
	Asked *Asked
}

// Plays are the transcripts of one run: of what was played first, and of what was played again.
type Plays struct {
	First, Again map[scenarios.Name]transcript.Transcript

	of *transcript.Transcript // one of them, to hold the others against
}

// Asked is what a report.json knows of its run and transcripts do not.
type Asked struct {
	Rules       []suites.RuleID
	Args        string
	Seed        uint64
	Strict      bool
	Interrupted bool
	HintRule    suites.HintRule
	Baseline    suites.Baseline
}

// Load reads what was saved together: transcripts, or the folder of a report. Transcripts that do not belong together are refused.
func Load(paths []string) (Saved, error) {
	s := Saved{Runs: []Plays{noPlays()}}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err == nil && info.IsDir() {
			err = s.folder(p)
		} else if err == nil {
			err = s.Runs[0].file(p)
		}
		if err != nil {
			return Saved{}, err
		}
	}
	for _, run := range s.Runs {
		for _, name := range slices.Sorted(maps.Keys(run.Again)) {
			if _, ok := run.First[name]; !ok {
				return Saved{}, fmt.Errorf("%s%s is of a second play: want the first one as well, %s.json", name, AgainSuffix, name)
			}
		}
	}
	return s, nil
}

func noPlays() Plays {
	return Plays{First: map[scenarios.Name]transcript.Transcript{}, Again: map[scenarios.Name]transcript.Transcript{}}
}

// folder reads the folder of a report, or one of transcripts.
func (s *Saved) folder(dir string) error {
	found, further := files(dir, "*.json"), 0
	if report := filepath.Join(dir, reportFile); len(files(dir, reportFile)) > 0 {
		if s.Asked != nil {
			return fmt.Errorf("%s: a report was given already: judge one run at a time", report)
		}
		runs, err := s.asked(report)
		if err != nil {
			return err
		}
		found, further = nil, runs-1
	}
	if inner := files(filepath.Join(dir, transcriptsDir), "*.json"); len(inner) > 0 {
		found = inner
	}
	if len(found) == 0 {
		return fmt.Errorf("%s: no transcript in it: want the folder of a report, or of transcripts", dir)
	}
	for _, file := range found {
		if err := s.Runs[0].file(file); err != nil {
			return err
		}
	}
	for n := range further {
		run := noPlays()
		for _, file := range files(filepath.Join(dir, transcriptsDir, runFolder(n+1)), "*.json") {
			if err := run.file(file); err != nil {
				return err
			}
		}
		s.Runs = append(s.Runs, run)
	}
	return nil
}

// mostRuns is how many runs of a report are read; a report of as many would not fit into memory.
const mostRuns = 10_000

// asked reads a report.json, and tells how many runs it is of.
func (s *Saved) asked(file string) (runs int, err error) {
	if err := regular(file); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		return 0, fmt.Errorf("%s: %w: want a report that brownout wrote", file, err)
	}
	switch {
	case r.Schema != Schema:
		return 0, fmt.Errorf("%s: schema %q: want %q", file, r.Schema, Schema)
	case r.Runs < 1 || r.Runs > mostRuns:
		return 0, fmt.Errorf("%s: runs: %d: want a number from 1 to %d", file, r.Runs, mostRuns)
	case !slices.Contains(suites.HintRules(), r.HintRule):
		return 0, fmt.Errorf("%s: hint_rule: %q: want one of %v", file, r.HintRule, suites.HintRules())
	}
	s.Asked = &Asked{Args: r.Args, Seed: r.Seed, Strict: r.Strict, Interrupted: r.Interrupted, HintRule: r.HintRule, Baseline: r.Baseline}
	for _, e := range r.Rules {
		s.Asked.Rules = append(s.Asked.Rules, e.ID)
	}
	return r.Runs, nil
}

// file reads one transcript and puts it among the others, unless it is of another run.
func (s *Plays) file(file string) error {
	t, err := read(file)
	if err != nil {
		return err
	}
	name, into := scenarios.Name(t.Scenario), s.First
	if strings.HasSuffix(file, AgainSuffix) {
		into = s.Again
	}
	if _, twice := into[name]; twice {
		return fmt.Errorf("%s: a transcript of %s was given already: judge one run at a time", file, name)
	}
	if s.of == nil {
		s.of = &t
	}
	if t.Seed != s.of.Seed || !reflect.DeepEqual(t.Client, s.of.Client) {
		return fmt.Errorf("%s: of %s with seed %d, but %s was of %s with seed %d: judge one run at a time",
			file, t.Client.Name, t.Seed, s.of.Scenario, s.of.Client.Name, s.of.Seed)
	}
	into[name] = t
	return nil
}

// regular refuses what is no regular file: to open a pipe would wait for somebody to write to it.
func regular(file string) error {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: want a regular file", file)
	}
	return err
}

func read(file string) (transcript.Transcript, error) {
	if err := regular(file); err != nil {
		return transcript.Transcript{}, err
	}
	f, err := os.Open(file)
	if err != nil {
		return transcript.Transcript{}, err
	}
	defer f.Close()
	var t transcript.Transcript
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		if other := schema(f); other != "" && other != transcript.Schema {
			return t, fmt.Errorf("%s: schema %q: want %q", file, other, transcript.Schema)
		}
		return t, fmt.Errorf("%s: byte %d: %w: want a transcript that brownout wrote", file, d.InputOffset(), err)
	}
	if t.Schema != transcript.Schema {
		return t, fmt.Errorf("%s: schema %q: want %q", file, t.Schema, transcript.Schema)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return t, fmt.Errorf("%s: byte %d: something follows the transcript: want one a file", file, d.InputOffset())
	}
	if err := t.Validate(); err != nil {
		return t, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

// schema is what a file that is no transcript says it is; "" = it says nothing.
func schema(f io.ReadSeeker) string {
	var says struct{ Schema string }
	if _, err := f.Seek(0, io.SeekStart); err != nil || json.NewDecoder(f).Decode(&says) != nil {
		return ""
	}
	return says.Schema
}
