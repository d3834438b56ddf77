package mutants

import (
	"net/http"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// refusals are the mutants that get a refused connection wrong.
func refusals() []Mutant {
	return []Mutant{
		{
			Name:   "gives-a-refused-write-up",
			Defect: "does not repeat a write without a key, though its connection was refused",
			Trips:  []string{"RT-09"},
			Policy: never(both(unkeyedWrite, func(_ steady.Operation, a steady.Attempt) bool { return a.Err != nil && !a.Sent })),
		},
		{
			Name:   "empty-body-after-a-refusal",
			Defect: "has used its body up by the time that a write without a key is tried again",
			Trips:  []string{"RT-09"},
			Policy: onRetries(func(req *http.Request) {
				if req.Method == http.MethodPost && keyOf(req) == "" {
					rewrite(req, func([]byte) []byte { return nil })
				}
			}),
		},
	}
}
