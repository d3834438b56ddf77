package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages gives the paths of the project's pages, from its root.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"bin", "out", "testdata"}, d.Name()) || strings.HasPrefix(d.Name(), ".") && path != "."):
			return fs.SkipDir
		case strings.HasSuffix(path, ".md"):
			all = append(all, path)
		}
		return nil
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("got %v, %v; want the project's pages", all, err)
	}
	return all
}

var (
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestDocsLinks wants every link from one page of the project to another, and to its files, to lead somewhere.
func TestDocsLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(fromRoot(t, page), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: %s: %v", page, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(fromRoot(t, target)), anchor) {
				t.Errorf("%s: %s: %s has no such heading", page, m[1], target)
			}
		}
	}
}

// anchors gives the names by which headings are linked to: in small letters, without punctuation, with hyphens for spaces.
func anchors(text string) []string {
	var names []string
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// TestDocsWalk wants each step of CONTRIBUTING.md's walk through the code to name what is there: [file](file) `Name`.
func TestDocsWalk(t *testing.T) {
	steps := regexp.MustCompile("\\]\\(([\\w/]+\\.go)\\) ((?:`[\\w.]+`(?:, )?)+)").FindAllStringSubmatch(fromRoot(t, "CONTRIBUTING.md"), -1)
	const fewest = 20 // from the scenario to the report
	if len(steps) < fewest {
		t.Fatalf("CONTRIBUTING.md: got %d steps, want %d or more", len(steps), fewest)
	}
	for _, step := range steps {
		code := fromRoot(t, step[1])
		for _, quoted := range strings.Split(step[2], ", ") {
			name := strings.Trim(quoted, "`")
			declared := `(?m)^(func|type) ` + name + `\b`
			if receiver, method, ok := strings.Cut(name, "."); ok {
				declared = `(?m)^func \((\w+ )?\*?` + receiver + `\) ` + method + `\(`
			}
			if !regexp.MustCompile(declared).MatchString(code) {
				t.Errorf("CONTRIBUTING.md: %s has no %s", step[1], name)
			}
		}
	}
}
