package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/brownout-dev/brownout/suites"
)

// The names of what a report's folder holds.
const (
	reportFile     = "report.json"
	junitFile      = "junit.xml"
	transcriptsDir = "transcripts"
	unfinished     = ".brownout-" // begins the name of a file that is not whole yet
)

// Prepare makes the report's folder and proves that it can be written to, so that a run does not end in finding out. What an earlier run
// left in it is removed now: a run that could not be judged must not leave another's verdict behind. A folder that another run is about to
// write to is refused; release ends that for this one.
func Prepare(dir string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Join(dir, transcriptsDir), 0o755); err != nil {
		return nil, fmt.Errorf("report folder: %w: want a folder that can be made and written to", err)
	}
	release, err = claim(filepath.Join(dir, unfinished+"claim"))
	if err != nil {
		return nil, fmt.Errorf("report folder: %s: %w: want a folder of its own for each run", dir, err)
	}
	if err := empty(dir); err != nil {
		release()
		return nil, fmt.Errorf("report folder: %w: want one from which an earlier report can be removed, and which can be written to", err)
	}
	return release, nil
}

// empty removes an earlier report, and proves that a new one can be written.
func empty(dir string) error {
	probe, err := os.CreateTemp(dir, unfinished+"*")
	if err != nil {
		return err
	}
	probe.Close()
	transcripts := filepath.Join(dir, transcriptsDir)
	for _, old := range slices.Concat(
		files(dir, reportFile), files(dir, junitFile), files(dir, unfinished+"*"),
		files(transcripts, "*.json"), files(transcripts, unfinished+"*"), files(transcripts, runPrefix+"*"),
	) {
		if old == filepath.Join(dir, unfinished+"claim") {
			continue
		}
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	return nil
}

// files lists what in a folder has a name like the pattern, in order; nothing, where the folder cannot be read. The folder's own name may
// hold anything.
func files(dir, pattern string) []string {
	entries, _ := os.ReadDir(dir)
	var found []string
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); ok {
			found = append(found, filepath.Join(dir, e.Name()))
		}
	}
	return found
}

// WriteFiles writes report.json, junit.xml and transcripts/*.json into a folder that was prepared. Each file appears whole or not at all.
func (r Report) WriteFiles(dir string, rules []suites.Rule) error {
	for _, t := range r.transcripts {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, transcriptsDir, t.file)), 0o755); err != nil {
			return err
		}
		if err := writeJSON(filepath.Join(dir, transcriptsDir, t.file), t.Transcript); err != nil {
			return err
		}
	}
	if err := writeJUnit(dir, r, rules, r.judgement); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, reportFile), r)
}

func writeJSON(file string, v any) error {
	return writeWhole(file, func(w io.Writer) error {
		text, err := json.MarshalIndent(v, "", "  ")
		if err == nil {
			_, err = w.Write(append(escaped(text), '\n'))
		}
		return err
	})
}

// writeWhole writes beside the file and then puts it in its place, so that no reader ever meets half of it.
func writeWhole(file string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(file), unfinished+"*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
