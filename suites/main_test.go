package suites_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// garbage is how much of it may gather beside what is in use, in percent. These tests play hundreds of clients that leave little behind, a
// hundred thousand requests after another: by Go's own 100, a quarter of their time would be spent on collecting.
const garbage = 400

func TestMain(m *testing.M) {
	debug.SetGCPercent(garbage)
	os.Exit(m.Run())
}
