package mutants

import (
	"bytes"
	"net/http"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func statuses() []Mutant {
	return []Mutant{
		{
			Name:   "retries-501",
			Defect: "takes a 501 for a passing trouble",
			Trips:  []string{"RT-05"},
			Policy: also(answered(http.StatusNotImplemented)),
		},
		{
			Name:   "retries-505",
			Defect: "takes a 505 for a passing trouble",
			Trips:  []string{"RT-05"},
			Policy: also(answered(http.StatusHTTPVersionNotSupported)),
		},
		{
			Name:   "repeats-where-it-was-told-to-leave",
			Defect: "repeats after a 408 on the connection that the server said it would close",
			Trips:  []string{"RT-06"},
			Policy: all(retryTimedOut, filtering(inHead(func(head []byte) []byte {
				if !bytes.HasPrefix(head, []byte("HTTP/1.1 408 ")) {
					return head
				}
				return leavesOut(head, "Connection: close", 1)
			}))),
		},
		{
			Name:   "stops-at-425",
			Defect: "takes a 425 for a refusal",
			Trips:  []string{"RT-07"},
			Policy: never(answered(http.StatusTooEarly)),
		},
		{
			Name:   "early-again",
			Defect: "marks its retries as early data",
			Trips:  []string{"RT-07"},
			Policy: onRetries(func(req *http.Request) { req.Header.Set("Early-Data", "1") }),
		},
	}
}

// retryTimedOut retries a 408 where that is safe.
func retryTimedOut(p steady.Policy) steady.Policy {
	return also(func(o steady.Operation, a steady.Attempt) bool {
		return o.Repeatable() && answered(http.StatusRequestTimeout)(o, a)
	})(p)
}
