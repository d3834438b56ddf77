package suites

import (
	"slices"

	"github.com/onsi/gomega/types"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// tellsBodies tells whether the client tells which bodies it hands on, and hands them on as they came: sound operations show it. One that
// decodes them, or tells nothing of them, cannot be judged by its bodies.
func tellsBodies(sound []transcript.Op) bool {
	return len(sound) > 0 && !slices.ContainsFunc(sound, func(op transcript.Op) bool { return op.ReplySHA == "" || !isItsOwn(op) })
}

// isItsOwn tells whether what the caller was given is the content of a reply to one of the operation's own attempts, all of it.
func isItsOwn(op transcript.Op) bool {
	return slices.ContainsFunc(op.Attempts, func(a journal.Attempt) bool { return a.ReplySHA256 == op.ReplySHA })
}

// BeGivenItsOwn holds for an operation whose caller was given the whole content of one of the replies to it, or nothing of any.
func BeGivenItsOwn() types.GomegaMatcher {
	return matcher{
		needed: "the whole content of one of its own replies, or an error",
		holds:  func(op transcript.Op) bool { return op.Outcome != drive.OK || op.ReplyBytes == 0 || isItsOwn(op) },
		seen: func(op transcript.Op) string {
			return "the client said " + said(op) + ", with " + count(int(op.ReplyBytes), "byte") + " that are the content of none"
		},
	}
}

// beAnsweredAsTheFakeDid holds for an operation whose caller was told the status of one of its own replies, or none.
func beAnsweredAsTheFakeDid() matcher {
	return matcher{
		needed: "a status with which one of its own attempts was answered",
		holds: func(op transcript.Op) bool {
			return op.Status == 0 || slices.ContainsFunc(op.Attempts, func(a journal.Attempt) bool { return a.Status == op.Status })
		},
		seen: func(op transcript.Op) string {
			return "the client said " + said(op) + "; " + traffic(op) + ", " + answers(op)
		},
	}
}
