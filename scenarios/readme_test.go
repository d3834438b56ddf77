package scenarios_test

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/scenarios"
)

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each field and each scale has a row in the README, and no row is of something else.
func TestReadmeNamesEveryField(t *testing.T) {
	var want []string
	for _, of := range []reflect.Type{reflect.TypeFor[scenarios.Scenario](), reflect.TypeFor[scenarios.Case]()} {
		for i := range of.NumField() {
			if name := of.Field(i).Tag.Get("yaml"); name != "-" {
				want = append(want, name)
			}
		}
	}
	for _, s := range scenarios.Scales() {
		want = append(want, string(s))
	}
	var got []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(readme(t), -1) {
		got = append(got, row[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got rows of\n%v, want\n%v", got, want)
	}
}

func TestReadmeExamplesAreScenarios(t *testing.T) {
	blocks := strings.Split(readme(t), "```yaml\n")[1:]
	if len(blocks) != 2 {
		t.Fatalf("got %d examples, want 2", len(blocks))
	}
	for _, b := range blocks {
		text, _, _ := strings.Cut(b, "```")
		if _, err := scenarios.Parse("README.md", []byte(text)); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryScenarioOfTheSuiteIsSound(t *testing.T) {
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Error("there are none")
	}
}
