package suites_test

import (
	"io"
	"log"
	"os"
	"testing"

	"github.com/brownout-dev/brownout/fakes"
)

// These tests play hundreds of clients that leave little behind, a hundred thousand requests after another.
func TestMain(m *testing.M) {
	fakes.LetGarbageGather()
	log.SetOutput(io.Discard) // net/http's transport logs what a fake does to it
	os.Exit(m.Run())
}
