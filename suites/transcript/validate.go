package transcript

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
)

// WarmUp is the id of the sound read that warms a connection up for an operation. It is in the journal, and is no operation of the play.
func WarmUp(op faults.OperationID) faults.OperationID { return op + "w" }

// Validate refuses a transcript that no play can have made, since judges would believe it. The error names the first such field, and says what would be right.
func (t Transcript) Validate() error {
	v := validator{t: t, operations: map[faults.OperationID]Operation{}, attempts: map[int]faults.OperationID{}}
	v.spans("", map[string]clock.Span{"overhead": t.Overhead, "lateness": t.Lateness, "typical_lateness": t.TypicalLateness, "quiet_for": t.QuietFor})
	v.want(t.Ended.Happened() && t.Ended > 0, "ended: %s: want the moment in which the play ended", t.Ended)
	for i, o := range t.Operations {
		v.operation(fmt.Sprintf("operations[%d]", i), o)
	}
	for i, a := range t.Record.Attempts {
		v.attempt(fmt.Sprintf("attempts[%d]", i), i+1, a)
	}
	for i, e := range t.Effects {
		v.effect(fmt.Sprintf("effects[%d]", i), i+1, e)
	}
	for i, d := range t.Record.Decisions {
		v.decision(fmt.Sprintf("decisions[%d]", i), d)
	}
	return v.wrong
}

type validator struct {
	t          Transcript
	operations map[faults.OperationID]Operation
	attempts   map[int]faults.OperationID // whose they are, by number
	wrong      error                      // the first
}

func (v *validator) want(right bool, format string, args ...any) {
	if !right && v.wrong == nil {
		v.wrong = fmt.Errorf(format, args...)
	}
}

// spans wants no length of time to be negative.
func (v *validator) spans(above string, all map[string]clock.Span) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v.want(all[name] >= 0, "%s%s: %s: want no less than 0s", above, name, all[name])
	}
}

// within wants a moment, if it came, to lie between two others.
func (v *validator) within(field string, at, from, to clock.Moment) {
	v.want(!at.Happened() || at >= from && at <= to, "%s: %s: want a moment from %s to %s", field, at, from, to)
}

func (v *validator) operation(field string, o Operation) {
	_, twice := v.operations[o.ID]
	v.want(o.ID != "" && !twice, "%s.id: %q: want an id that no other operation has", field, o.ID)
	v.operations[o.ID] = o
	v.want(o.Began.Happened() && o.Began > 0, "%s.began: %s: want the moment in which it began", field, o.Began)
	v.want(o.Ended.Happened(), "%s.ended: want the moment in which it ended", field)
	v.within(field+".ended", o.Ended, o.Began, v.t.Ended)
	v.want(slices.Contains([]drive.Outcome{drive.OK, drive.Failed, drive.Unknown, drive.Error}, o.Outcome),
		"%s.outcome: %q: want ok, failed, unknown or error", field, o.Outcome)
	v.want(o.Status >= 0 && o.Status < 1000, "%s.status: %d: want a status, or none", field, o.Status)
	v.spans(field+".", map[string]clock.Span{"deadline": o.Deadline, "cancel_after": o.CancelAfter, "base": o.Base, "cap": o.Cap})
	v.want(o.MaxAttempts >= 0, "%s.max_attempts: %d: want no less than 0", field, o.MaxAttempts)
	v.want(o.BodyBytes >= 0 && o.ReplyBytes >= 0, "%s: %d and %d bytes: want no less than 0", field, o.BodyBytes, o.ReplyBytes)
}

func (v *validator) attempt(field string, number int, a journal.Attempt) {
	v.want(a.Number == number, "%s.number: %d: want %d: attempts are numbered in the order in which they came", field, a.Number, number)
	v.attempts[a.Number] = a.Operation
	owner, known := v.operations[a.Operation]
	_, warming := v.operations[faults.OperationID(strings.TrimSuffix(string(a.Operation), string(WarmUp(""))))]
	v.want(known || warming || a.Operation == "", "%s.operation: %q: want one of the play", field, a.Operation)
	v.want(a.Connection > 0 && a.Use > 0, "%s: use %d of connection %d: want both from 1", field, a.Use, a.Connection)
	v.want(a.Try >= 0, "%s.try: %d: want no less than 0", field, a.Try)
	v.want(a.Status >= 0 && a.Status < 1000, "%s.status: %d: want a status, or none", field, a.Status)
	v.want(a.BodyBytes >= 0, "%s.body_bytes: %d: want no less than 0", field, a.BodyBytes)
	v.want(a.FirstByte.Happened(), "%s.first_byte: want the moment in which it came", field)
	v.within(field+".first_byte", a.FirstByte, max(owner.Began, 1), v.t.Ended)
	moments := map[string]clock.Moment{
		"head_read": a.HeadRead, "body_read": a.BodyRead, "committed": a.Committed, "reply_first": a.ReplyFirst, "cut": a.Cut, "gone": a.Gone,
	}
	for _, name := range slices.Sorted(maps.Keys(moments)) {
		v.within(field+"."+name, moments[name], a.FirstByte, v.t.Ended)
	}
	v.within(field+".reply_last", a.ReplyLast, max(a.ReplyFirst, a.FirstByte), v.t.Ended)
}

func (v *validator) effect(field string, number int, e journal.Effect) {
	v.want(e.Number == number, "%s.number: %d: want %d: effects are numbered in the order in which they were applied", field, e.Number, number)
	owner, known := v.attempts[e.Attempt]
	v.want(known && owner == e.Operation, "%s.attempt: %d of operation %q: want an attempt of that operation", field, e.Attempt, e.Operation)
	v.within(field+".at", e.At, 1, v.t.Ended)
}

func (v *validator) decision(field string, d journal.Decision) {
	_, known := v.attempts[d.Attempt]
	v.want(known || d.Attempt == 0, "%s.attempt: %d: want one of the play, or none", field, d.Attempt)
	v.want(d.Result == journal.Fired || d.Result == journal.Skipped, "%s.result: %q: want fired or skipped", field, d.Result)
	v.within(field+".at", d.At, 1, v.t.Ended)
}
