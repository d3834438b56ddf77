package clients_test

import (
	"io"
	"log"
	"os"
	"testing"

	"github.com/brownout-dev/brownout/fakes"
)

func TestMain(m *testing.M) {
	fakes.LetGarbageGather()
	log.SetOutput(io.Discard) // net/http's transport logs what a fake does to it
	os.Exit(m.Run())
}
