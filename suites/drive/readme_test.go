//go:build unix

package drive

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/faults/wire"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeShowsTheExamples wants each example in the README as it is; to update one, paste it between its marks.
func TestReadmeShowsTheExamples(t *testing.T) {
	shown := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)<!-- (examples/[a-z_.]+) -->\n```[a-z]+\n(.*?)```\n<!-- end -->").FindAllStringSubmatch(readme(t), -1) {
		shown[m[1]] = m[2]
	}
	files, err := os.ReadDir("examples")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d examples, %v; want some", len(files), err)
	}
	for _, f := range files {
		path := "examples/" + f.Name()
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if shown[path] != string(want) {
			t.Errorf("%s is not in README.md as it is", path)
		}
	}
}

// TestReadmeTellsEveryWord wants no variable, feature, claim or answer's field left out.
func TestReadmeTellsEveryWord(t *testing.T) {
	environ, err := environment(fullCall(), "m")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "BROWNOUT_") {
			all = append(all, name)
		}
	}
	for _, f := range features() {
		all = append(all, string(f))
	}
	for _, part := range []any{Claims{}, DeadlineHeader{}, RetryBudget{}, CircuitBreaker{}, BulkheadLimit{}, HedgePolicy{}} {
		all = append(all, words(reflect.TypeOf(part))...)
	}
	for _, j := range jitters() {
		all = append(all, string(j))
	}
	for _, f := range deadlineFormats() {
		all = append(all, string(f))
	}
	all = append(all, "{url}", "{method}", "{body}", "{operation}", "{key}", "{deadline_ms}", "{deadline_s}")
	all = append(all, resultFields()[1:]...) // but "type"
	all = append(all, words(reflect.TypeFor[helloWords]())[1:]...)
	for f := range reflect.TypeFor[callWords]().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "type" {
			all = append(all, name)
		}
	}
	all = append(all, "hello", "call", "result", "cancel", "bye")
	text := readme(t)
	for _, word := range all {
		if !strings.Contains(text, "`"+word+"`") {
			t.Errorf("README.md does not tell of `%s`", word)
		}
	}
}

// TestReadmeSeesTheContract runs the README's way to see what a process is given.
func TestReadmeSeesTheContract(t *testing.T) {
	onlyIfThere(t, "sh", "env", "grep", "sort")
	m := regexp.MustCompile(`brownout run --exec -- sh -c '(env .*)'\n`).FindStringSubmatch(readme(t))
	if m == nil {
		t.Fatal("the README has no command that prints the environment")
	}
	carrier, err := Exec(Hello{}, []string{"sh", "-c", m[1]}, ExecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Probe(t.Context(), carrier, wire.TCP{}, anyPort)
	setup := new(SetupError)
	if !errors.As(err, &setup) {
		t.Fatalf("got %v; want a setup error", err)
	}
	for _, name := range []string{"URL", "METHOD", "BODY", "CONTENT_TYPE", "OPERATION", "KEY", "KEY_HEADER", "HEADERS", "HEADER_LINES", "DEADLINE_MS"} {
		wantPart(t, "setup error", setup.Error(), "stderr | BROWNOUT_"+name+"=")
	}
}

// TestReadmeSmallestAdapter runs the README's command without an adapter.
func TestReadmeSmallestAdapter(t *testing.T) {
	onlyIfThere(t, "curl")
	m := regexp.MustCompile(`brownout run --exec -- (curl .*)\n`).FindStringSubmatch(readme(t))
	if m == nil {
		t.Fatal("the README has no command without an adapter")
	}
	carrier, err := Exec(Hello{}, strings.Fields(m[1]), ExecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Probe(t.Context(), carrier, wire.TCP{}, anyPort); err != nil {
		t.Error(err)
	}
}
