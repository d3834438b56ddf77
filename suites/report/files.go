package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/reporters"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Prepare makes the report's folder and proves that it can be written to, so that a run does not end in finding out.
func Prepare(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, transcriptsDir), 0o755); err != nil {
		return fmt.Errorf("report folder: %w: want a folder that can be made and written to", err)
	}
	probe, err := os.CreateTemp(dir, ".brownout-*")
	if err != nil {
		return fmt.Errorf("report folder: %w: want one that can be written to", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// WriteFiles writes report.json, junit.xml and transcripts/*.json. Each file appears whole or not at all; transcripts of an earlier run
// in the same folder are removed.
func (r Report) WriteFiles(dir string, rules []suites.Rule, j suites.Judgement, strict bool) error {
	stale, err := filepath.Glob(filepath.Join(dir, transcriptsDir, "*.json"))
	if err != nil {
		return err
	}
	for _, file := range stale {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for _, t := range r.transcripts {
		if err := writeJSON(filepath.Join(dir, transcriptsDir, t.file), t.Transcript); err != nil {
			return err
		}
	}
	if err := writeJUnit(filepath.Join(dir, "junit.xml"), r, rules, j, strict); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, "report.json"), r)
}

func writeJSON(file string, v any) error {
	return writeWhole(file, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// writeWhole writes beside the file and then puts it in its place, so that no reader ever meets half of it.
func writeWhole(file string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".brownout-*")
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), file)
}

// failer satisfies RunSpecs, which wants a *testing.T; whether specs failed is in the report.
type failer struct{}

func (failer) Fail() {}

// writeJUnit runs the rules as Ginkgo specs over the verdicts, silently, and has Ginkgo write what CI systems read. A process can
// do it once: Ginkgo's tree of specs is global.
func writeJUnit(file string, r Report, rules []suites.Rule, j suites.Judgement, strict bool) error {
	formatter.ColorableStdOut, formatter.ColorableStdErr = io.Discard, io.Discard
	do := func(context.Context) (suites.Judgement, error) { return j, nil }
	describe := suites.Describe
	if strict {
		describe = suites.DescribeStrict
	}
	describe(r.Client.Name, rules, do)
	var failed error
	ginkgo.ReportAfterSuite("junit", func(report types.Report) {
		part := file + ".part"
		report.SuitePath = "" // the folder that brownout was called in
		if failed = reporters.GenerateJUnitReportWithConfig(report, part, junitConfig()); failed == nil {
			failed = os.Rename(part, file)
		}
	})
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.FailOnEmpty = true
	suite.Timeout = 0
	reporter.Succinct = true
	ginkgo.RunSpecs(failer{}, "brownout", suite, reporter)
	return failed
}

// junitConfig leaves out what is Ginkgo's own business: labels, and the times at which specs were entered.
func junitConfig() reporters.JunitReportConfig {
	return reporters.JunitReportConfig{
		OmitLeafNodeType:          true,
		OmitSpecLabels:            true,
		OmitCapturedStdOutErr:     true,
		OmitTimelinesForSpecState: types.SpecStatePassed | types.SpecStateSkipped | types.SpecStateFailed,
		OmitSuiteSetupNodes:       true,
	}
}

// Load reads saved transcripts: files, or folders of a report. It gives those that were played first and those played again.
func Load(paths []string) (first, again map[scenarios.Name]transcript.Transcript, err error) {
	first, again = map[scenarios.Name]transcript.Transcript{}, map[scenarios.Name]transcript.Transcript{}
	for _, p := range paths {
		files := []string{p}
		if info, err := os.Stat(p); err != nil {
			return nil, nil, err
		} else if info.IsDir() {
			files, _ = filepath.Glob(filepath.Join(p, "*.json"))
			if inner, _ := filepath.Glob(filepath.Join(p, transcriptsDir, "*.json")); len(inner) > 0 {
				files = inner
			}
			if len(files) == 0 {
				return nil, nil, fmt.Errorf("%s: no transcript in it: want the folder of a report, or of transcripts", p)
			}
		}
		for _, file := range files {
			t, err := read(file)
			if err != nil {
				return nil, nil, err
			}
			into := first
			if strings.HasSuffix(file, AgainSuffix) {
				into = again
			}
			if _, twice := into[scenarios.Name(t.Scenario)]; twice {
				return nil, nil, fmt.Errorf("%s: a transcript of %s was given already: judge one run at a time", file, t.Scenario)
			}
			into[scenarios.Name(t.Scenario)] = t
		}
	}
	return first, again, nil
}

func read(file string) (transcript.Transcript, error) {
	f, err := os.Open(file)
	if err != nil {
		return transcript.Transcript{}, err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	var t transcript.Transcript
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("%s: byte %d: %w: want a transcript that brownout wrote", file, d.InputOffset(), err)
	}
	if t.Schema != transcript.Schema {
		return t, fmt.Errorf("%s: schema %q: want %q", file, t.Schema, transcript.Schema)
	}
	return t, nil
}
