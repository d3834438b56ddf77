package suites

import (
	"slices"
	"strconv"
	"strings"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func succeeded(status int) bool { return status >= 200 && status <= 299 }

// answeredFirst is the place of the first attempt that was answered with one of the statuses; -1 without one.
func answeredFirst(op transcript.Op, status ...int) int {
	return slices.IndexFunc(op.Attempts, func(a journal.Attempt) bool { return slices.Contains(status, a.Status) })
}

// answers lists the statuses that an operation's attempts were answered with.
func answers(op transcript.Op) string {
	if len(op.Attempts) == 0 {
		return "answered by nobody"
	}
	statuses := make([]string, len(op.Attempts))
	for i, a := range op.Attempts {
		statuses[i] = strconv.Itoa(a.Status)
	}
	return "answered " + strings.Join(statuses, ", ")
}

// lastOf is the last attempt of an operation that has one.
func lastOf(op transcript.Op) journal.Attempt { return op.Attempts[len(op.Attempts)-1] }

// keyed tells whether the first attempt of an operation carried a key, at an endpoint that takes one.
func keyed(op transcript.Op) bool { return op.KeyHeader != "" && op.Attempts[0].Key != "" }
