package mutants

import (
	"net/http"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func streams() []Mutant {
	return []Mutant{
		{
			Name:   "stream-sent-again",
			Defect: "sends a stream again from where the first attempt left it",
			Trips:  []string{"RT-14"},
			Policy: rewindsNot,
		},
		{
			Name:   "stream-sent-empty",
			Defect: "sends what is left of a stream when it begins again, which is nothing, and declares so",
			Trips:  []string{"RT-14"},
			Policy: all(rewindsNot, onRetries(func(req *http.Request) {
				if req.GetBody == nil { // it is a stream
					rewrite(req, func([]byte) []byte { return nil })
				}
			})),
		},
		{
			Name:   "drops-the-body",
			Defect: "never sends a body",
			Trips:  []string{"RT-09", "RT-14"},
			Policy: editing(func(req *http.Request, _ int) { rewrite(req, func([]byte) []byte { return nil }) }),
		},
	}
}

// rewindsNot repeats an operation whose body can be read once as if it could be read again.
func rewindsNot(p steady.Policy) steady.Policy {
	right := p.Retryable
	p.Retryable = func(o steady.Operation, a steady.Attempt) bool {
		o.Once = false
		return right(o, a)
	}
	return p
}
