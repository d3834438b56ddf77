package suites_test

import (
	"os"
	"testing"

	"github.com/brownout-dev/brownout/fakes"
)

// These tests play hundreds of clients that leave little behind, a hundred thousand requests after another.
func TestMain(m *testing.M) {
	fakes.LetGarbageGather()
	os.Exit(m.Run())
}
