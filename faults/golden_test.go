package faults

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files and the README's table anew (make docs)")

// golden compares a text with a file, or writes the file with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: make docs writes it anew\ngot\n%s\nwant\n%s", file, got, want)
	}
}
