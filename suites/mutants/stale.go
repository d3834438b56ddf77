package mutants

import (
	"errors"
	"io"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func stale() []Mutant {
	return []Mutant{
		{
			Name:   "a-close-is-final",
			Defect: "gives up where its kept connection was closed under a request",
			Trips:  []string{"CX-03"},
			Policy: never(func(o steady.Operation, a steady.Attempt) bool { return errors.Is(a.Err, io.EOF) && o.Attempts == 1 }),
		},
	}
}
