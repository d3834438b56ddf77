package suites

import (
	"fmt"
	"strings"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Bench is where a judge sits: a Gomega that goes on after a failure and keeps what it found with the operation it was found in, and the
// words for what an expectation cannot say: not tested, vacuous, in doubt.
type Bench struct {
	gomega.Gomega
	Client  drive.Hello
	rule    Rule
	grace   time.Duration // what an honest client may be late by: the adapter's own overhead
	doubt   time.Duration // what the machine was late by, at the worst
	typical time.Duration // what it was late by in three cases of four

	subject  transcript.Op
	judged   map[string]bool // the cases of which something was expected
	expected int
	findings []Finding
	doubts   []string
	unseen   []string
	vacuous  string
	lacking  bool // the rule is about something that the client does not claim
	measured map[string]string
}

func newBench(r Rule, t transcript.Transcript) *Bench {
	worst, typical := t.Starvation()
	b := &Bench{
		Client:   t.Client,
		rule:     r,
		grace:    time.Duration(t.Overhead),
		doubt:    worst,
		typical:  typical,
		judged:   map[string]bool{},
		measured: map[string]string{},
	}
	b.Gomega = gomega.NewGomega(func(message string, _ ...int) { b.found(b.halves(message)) })
	for _, s := range t.Skipped {
		b.NotTested("%s: %s", s.Case, s.Reason)
	}
	return b
}

// Expect is Gomega's; an operation that is expected something of becomes the subject of the finding, if it does not hold.
func (b *Bench) Expect(actual any, extra ...any) types.Assertion {
	b.expected++
	if op, ok := actual.(transcript.Op); ok {
		b.about(op)
	}
	return b.Gomega.Expect(actual, extra...)
}

// about makes an operation the subject of what is found next.
func (b *Bench) about(op transcript.Op) {
	b.subject = op
	b.judged[op.Case] = true
}

// expectsOf counts something that is expected of an operation, and makes it the subject of what is found.
func (b *Bench) expectsOf(op transcript.Op) {
	b.expected++
	b.about(op)
}

// expectsOfAll counts something that is expected of operations together, so that none of them is the subject of what is found.
func (b *Bench) expectsOfAll() {
	b.expected++
	b.subject = transcript.Op{}
}

// halves takes a failure message apart: our own matchers say what was needed and what was seen.
func (b *Bench) halves(message string) (needed, seen string) {
	needed, seen, ours := strings.Cut(message, seenMark)
	if !ours {
		return b.rule.Says, oneLine(message)
	}
	return needed, seen
}

// found records that the rule does not hold.
func (b *Bench) found(needed, seen string) { b.record(needed, seen, b.rule.Level.broken()) }

// breach is found for something that was measured in time, in which a busy machine may have a part.
func (b *Bench) breach(needed, seen string) {
	b.found(needed, seen)
	b.findings[len(b.findings)-1].timed = true
}

// record is found where another result comes of it than of a rule of this level that does not hold.
func (b *Bench) record(needed, seen string, result Result) {
	b.findings = append(b.findings, Finding{
		Operation: b.subject.ID, Case: b.subject.Case, Needed: needed, Seen: seen, result: result,
	})
}

// Advise records something that deserves a warning, whatever the rule's level: it could not be proved.
func (b *Bench) Advise(op transcript.Op, needed, seen string) {
	b.expectsOf(op)
	b.record(needed, seen, Warn)
}

// Doubt makes the verdict inconclusive, unless something is found.
func (b *Bench) Doubt(format string, args ...any) {
	b.doubts = append(b.doubts, fmt.Sprintf(format, args...))
}

// NotTested says why something was not looked at. Where nothing was, the rule is not tested.
func (b *Bench) NotTested(format string, args ...any) {
	b.unseen = append(b.unseen, fmt.Sprintf(format, args...))
}

// Unsupported says why a rule is not about this client: it does not claim what the rule holds others to.
func (b *Bench) Unsupported(format string, args ...any) {
	b.lacking = true
	b.NotTested(format, args...)
}

// Vacuous says that what was looked at proves nothing, unless something is found.
func (b *Bench) Vacuous(format string, args ...any) { b.vacuous = fmt.Sprintf(format, args...) }

// unexercised is the result of a rule that was not exercised.
func (b *Bench) unexercised() Result {
	if b.lacking || b.rule.Needs != "" && !b.Client.Has(b.rule.Needs) {
		return Unsupported
	}
	return NotTested
}

// Measure keeps a number for the report.
func (b *Bench) Measure(name string, value any) { b.measured[name] = fmt.Sprint(value) }
