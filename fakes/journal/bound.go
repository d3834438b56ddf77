package journal

import "strings"

// A journal's memory is bounded attempt by attempt, so that hostile heads cannot fill it: an attempt takes less than
// MaxAttemptBytes, whatever was sent. A common one takes about 1 KiB, its fault and effect included (see BenchmarkJournalMemory).
const (
	// MaxHead and MaxFields are how many bytes, and how many lines, of header fields are kept of an attempt. Of a longer head the
	// shortest fields are kept, since those are the ones that clients are judged by; the rest is counted in HeaderDropped.
	MaxHead, MaxFields = 4 << 10, 64
	// MaxTarget is how many bytes of a target are kept; far above what clients in good faith send.
	MaxTarget = 2 << 10
	// MaxKey is how many bytes of an idempotency key are kept: twice what any API takes, so that a key that is too long shows.
	MaxKey = 512
	// MaxMethod and MaxError bound the method and the error of a body that did not arrive whole.
	MaxMethod, MaxError = 64, 256

	// MaxAttemptBytes is the most memory one attempt takes in the journal, its strings, its effect and the growth of lists included.
	MaxAttemptBytes = 16 << 10
)

// cutMark ends what was cut.
const cutMark = "…"

// Bounded copies text, cut to at most n bytes with a mark at the end. It may cut inside a rune. A copy, because a short piece of a long
// request line would keep all of it alive.
func Bounded(text string, n int) string { return strings.Clone(cut(text, n)) }

func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:n-len(cutMark)] + cutMark
}

func bounded(a Attempt) Attempt {
	a.Method = Bounded(a.Method, MaxMethod)
	a.Target = Bounded(a.Target, MaxTarget)
	a.Key = Bounded(a.Key, MaxKey)
	a.Header, a.HeaderDropped = boundedHeader(a.Header)
	return a
}

// boundedEffect cuts what is made of an attempt's target and key as those are cut.
func boundedEffect(e Effect) Effect {
	e.Key = cut(e.Key, MaxKey)
	e.What = cut(e.What, MaxTarget)
	e.Resource = cut(e.Resource, MaxTarget)
	return e
}
