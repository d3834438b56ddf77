package suites

import (
	"testing"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// at is a moment of a made-up play.
func at(d time.Duration) clock.Moment { return clock.Moment(time.Millisecond + d) }

// play is a made-up transcript of one operation that was answered 503 at each of the given times, and ended at the last.
func play(deadline, ended time.Duration, attempts ...time.Duration) transcript.Transcript {
	t := transcript.Transcript{
		Client: drive.Hello{Features: []drive.Feature{drive.Retries}},
		Operations: []transcript.Operation{{
			ID: "op-1", Case: "unavailable", Script: "[503]", Method: "GET", Deadline: clock.Span(deadline),
			Began: at(0), Ended: at(ended), Outcome: drive.Failed, Status: 503,
		}},
	}
	for i, when := range attempts {
		t.Attempts = append(t.Attempts, journal.Attempt{
			Number: i + 1, Operation: "op-1", Try: i + 1, Method: "GET", Status: 503,
			FirstByte: at(when), HeadRead: at(when), BodyRead: at(when), ReplyFirst: at(when), ReplyLast: at(when),
		})
		t.Decisions = append(t.Decisions, journal.Decision{
			Operation: "op-1", Attempt: i + 1, Fault: "status 503 before-commit", Phase: faults.BeforeCommit, Result: journal.Fired, At: at(when),
		})
	}
	return t
}

// atMostTwo is a rule for these tests: two attempts at the most, and the answer within the deadline.
var atMostTwo = Rule{
	ID: "XX-01", Level: Must, Needs: drive.Retries,
	Holds: func(b *Bench, t transcript.Transcript) {
		for op := range b.Reached(t.In()) {
			b.Expect(op).To(BeSentAtMost(2))
			b.Within(op, "the answer", op.Elapsed(), time.Duration(op.Deadline))
		}
	},
}

func TestJudge(t *testing.T) {
	second := time.Second
	sound := play(2*second, second, 0, second)
	for _, row := range []struct {
		name   string
		change func(*transcript.Transcript)
		want   Result
		why    string
	}{
		{"held", func(*transcript.Transcript) {}, Pass, "two attempts, in time"},
		{"broken", func(t *transcript.Transcript) { *t = play(2*second, second, 0, second/2, second) }, Fail, "three attempts"},
		{"late by less than the tolerance", func(t *transcript.Transcript) { t.Operations[0].Ended = at(2*second + 90*time.Millisecond) }, Pass, "a scheduler is not a client"},
		{"late", func(t *transcript.Transcript) { t.Operations[0].Ended = at(2*second + 150*time.Millisecond) }, Fail, "the machine was not late at all"},
		{"late on a late machine", func(t *transcript.Transcript) {
			t.Operations[0].Ended = at(2*second + 150*time.Millisecond)
			t.Lateness = clock.Span(60 * time.Millisecond)
		}, Inconclusive, "the machine's lateness explains it"},
		{"later than the machine", func(t *transcript.Transcript) {
			t.Operations[0].Ended = at(3 * second)
			t.Lateness = clock.Span(60 * time.Millisecond)
		}, Fail, "the machine's lateness does not explain it"},
		{"late for the adapter's sake", func(t *transcript.Transcript) {
			t.Operations[0].Ended = at(2*second + 150*time.Millisecond)
			t.Overhead = clock.Span(100 * time.Millisecond)
		}, Pass, "the adapter takes that long by itself"},
		{"no attempt came", func(t *transcript.Transcript) { t.Attempts, t.Decisions = nil, nil }, NotTested, "nothing was seen of the client"},
		{"no attempt came of a client without the feature", func(t *transcript.Transcript) {
			t.Attempts, t.Decisions, t.Client.Features = nil, nil, nil
		}, Unsupported, "nor does it say that it could"},
		{"the fault never struck", func(t *transcript.Transcript) {
			for i := range t.Decisions {
				t.Decisions[i].Result = journal.Skipped
			}
		}, NotTested, "what did not happen proves nothing"},
		{"the adapter failed", func(t *transcript.Transcript) { t.Operations[0].Trouble = "no such word" }, Broken, "what the client did is not known"},
		{"broken, and the fake failed", func(t *transcript.Transcript) {
			*t = play(2*second, second, 0, second/2, second)
			t.Failure = "panic"
		}, Broken, "what a broken fake saw is no evidence"},
		{"something was left running", func(t *transcript.Transcript) { t.Trouble = []string{"left behind and killed: sleep"} }, Broken, "an adapter that leaves things behind is no green run"},
		{"broken, and the adapter failed", func(t *transcript.Transcript) {
			*t = play(2*second, second, 0, second/2, second)
			t.Operations[0].Trouble = "no such word"
		}, Fail, "what was seen was seen"},
		{"the play gave up", func(t *transcript.Transcript) {
			t.Operations[0].Trouble, t.Operations[0].GaveUp = "killed", true
			t.Operations[0].Ended = at(7 * second)
		}, Fail, "not to come back is the client's doing"},
	} {
		t.Run(row.name, func(t *testing.T) {
			tr := play(2*second, second, 0, second)
			row.change(&tr)
			if got := Judge(atMostTwo, tr); got.Result != row.want {
				t.Errorf("got %s (%s), want %s: %s", got.Result, got.Detail, row.want, row.why)
			}
		})
	}
	first, second2 := Judge(atMostTwo, sound), Judge(atMostTwo, sound)
	if first.Result != second2.Result || first.Detail != second2.Detail {
		t.Errorf("got %v and %v of the same transcript", first, second2)
	}
}

func TestVacuousFindsAllTheSame(t *testing.T) {
	vacuous := Rule{ID: "XX-02", Level: Should, Holds: func(b *Bench, t transcript.Transcript) {
		for op := range b.Reached(t.In()) {
			b.Expect(op).To(BeSentOnce())
		}
		b.Vacuous("nothing would have shown")
	}}
	if got := Judge(vacuous, play(time.Second, 0, 0)); got.Result != NotTested {
		t.Errorf("got %s, want %s where nothing was found", got.Result, NotTested)
	}
	if got := Judge(vacuous, play(time.Second, 0, 0, 0)); got.Result != Warn {
		t.Errorf("got %s, want %s where something was", got.Result, Warn)
	}
}

func TestAgree(t *testing.T) {
	v := func(r Result) Verdict { return Verdict{Result: r} }
	for _, row := range []struct {
		first, second, want Result
		why                 string
	}{
		{Fail, Fail, Fail, "it came again"},
		{Fail, Pass, Inconclusive, "it did not come again"},
		{Warn, NotTested, Inconclusive, "the second play did not exercise it"},
		{Inconclusive, Pass, Pass, "the doubt was the machine's"},
		{Inconclusive, Fail, Inconclusive, "one play is not two"},
		{Broken, Pass, Inconclusive, "an adapter that fails now and then is not known"},
	} {
		if got := agree(v(row.first), v(row.second)); got.Result != row.want {
			t.Errorf("%s then %s: got %s, want %s: %s", row.first, row.second, got.Result, row.want, row.why)
		}
	}
}

func TestOutcome(t *testing.T) {
	must, should := Rule{Level: Must}, Rule{Level: Should}
	for _, row := range []struct {
		name   string
		rules  []Rule
		is     []Result
		strict bool
		want   Outcome
	}{
		{"all held", []Rule{must, should}, []Result{Pass, Pass}, false, Conformant},
		{"a MUST broken", []Rule{must, should}, []Result{Fail, Pass}, false, NotConformant},
		{"a SHOULD broken", []Rule{must, should}, []Result{Pass, Warn}, false, Conformant},
		{"a SHOULD broken, strictly", []Rule{must, should}, []Result{Pass, Warn}, true, NotConformant},
		{"a MUST undecided", []Rule{must, should}, []Result{Inconclusive, Pass}, false, Undecided},
		{"a SHOULD undecided", []Rule{must, should}, []Result{Pass, Inconclusive}, false, Conformant},
		{"nothing tested", []Rule{must, should}, []Result{NotTested, Unsupported}, false, Undecided},
		{"a skip beside a pass", []Rule{must, should}, []Result{NotTested, Pass}, false, Conformant},
		{"the harness failed", []Rule{must, should}, []Result{Broken, Pass}, false, Undecided},
	} {
		t.Run(row.name, func(t *testing.T) {
			j := Judgement{Verdicts: []Verdict{{Result: row.is[0]}, {Result: row.is[1]}}}
			if got := j.Outcome(row.rules, row.strict); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}
