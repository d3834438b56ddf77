package lab

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// ask has the client do one operation and writes down what it told its caller.
func (st *stage) ask(ctx context.Context, client drive.Client, op scenarios.Operation) transcript.Operation {
	call := st.callFor(op)
	o := transcript.Operation{
		ID:          op.ID,
		Case:        op.Case.Name,
		Script:      op.Case.Script.String(),
		Chance:      op.Case.Script.Probability > 0,
		Method:      call.Method,
		Target:      target(op),
		KeyHeader:   call.KeyHeader,
		Origin:      op.Origin,
		Warm:        op.Case.Connection == scenarios.Warm,
		Cold:        op.Case.Connection == scenarios.Cold,
		Deadline:    clock.Span(call.Deadline),
		CancelAfter: clock.Span(op.Case.Cancel),
		BodyBytes:   int64(len(call.Body)),
		BodySHA:     digest(call.Body),
	}
	if call.KeyGiven {
		o.KeyGiven = call.Key
	} else {
		o.KeyOffered = call.Key
	}
	if call.Policy != nil {
		o.MaxAttempts = call.Policy.MaxAttempts
		o.Base, o.Cap = clock.Span(call.Policy.Base), clock.Span(call.Policy.Cap)
	}
	r := client.Do(ctx, call)
	o.Began, o.Ended = st.clock.At(r.Began), st.clock.At(r.Ended)
	o.Outcome, o.Status, o.Err = r.Outcome, r.Status, r.Err
	o.ReplyBytes, o.ReplySHA = r.BodyBytes, r.BodySHA256
	o.GaveUp, o.Trouble, o.LastWords = r.GaveUp || r.Killed, r.Trouble, r.LastWords
	return o
}

// How long a play waits for an answer beyond the call's own deadline before it ends the call from outside. It is generous: an answer
// that comes late is a finding with a number in it, one that never comes is a finding without.
const (
	patience        = 5 * time.Second
	withoutDeadline = 30 * time.Second // of a call that has no deadline, where the client claims no bound either
	longestBound    = time.Minute      // that is waited for; a longer one is not tested
)

// patienceFor is how long the play waits for a call before it gives up on it. Keeping the deadline is the client's own business.
func (st *stage) patienceFor(deadline time.Duration) time.Duration {
	if deadline > 0 {
		return deadline + max(patience, deadline)
	}
	if claimed := st.lab.Carrier.Hello().Claims.Bound(); claimed > 0 {
		return min(claimed, longestBound) + patience
	}
	return withoutDeadline
}

func (st *stage) callFor(op scenarios.Operation) drive.Call {
	c := op.Case
	call := drive.Call{
		Operation: op.ID,
		Method:    c.Method(),
		URL:       st.fake.Origin(op.Origin) + target(op),
		Body:      body(op),
		Stream:    c.Stream,
		Key:       key(st.lab.Seed, op.ID),
		KeyGiven:  c.Key == scenarios.GivenKey,
		KeyHeader: c.KeyHeader(),
		Deadline:  c.Deadline,
		Patience:  st.patienceFor(c.Deadline),
		Headers:   c.Headers,
	}
	if c.Cancel > 0 {
		call.Patience = c.Cancel // to a client, a caller that cancels is a caller that gives up
	}
	if call.Body != nil {
		call.Type = "application/json"
	}
	if c.Policy != nil {
		call.Policy = &drive.Policy{MaxAttempts: c.Policy.MaxAttempts, Base: c.Policy.Base, Cap: c.Policy.Cap}
	}
	return call
}

// warmUp is a sound read that leaves a used connection behind.
func (st *stage) warmUp(op scenarios.Operation) drive.Call {
	return drive.Call{
		Operation: transcript.WarmUp(op.ID),
		Method:    "GET",
		URL:       st.fake.Origin(op.Origin) + "/v1/catalogue?operation=" + string(transcript.WarmUp(op.ID)),
		Deadline:  op.Case.Deadline,
		Patience:  st.patienceFor(op.Case.Deadline),
	}
}

// target carries the operation's token in the query as well, so that an attempt with an empty body still has an owner.
func target(op scenarios.Operation) string {
	return op.Case.Path() + "?operation=" + string(op.ID)
}

// body is the document that a case sends: nil for methods without one.
func body(op scenarios.Operation) []byte {
	switch op.Case.Method() {
	case "GET", "HEAD", "OPTIONS", "DELETE":
		return nil
	}
	doc := fmt.Appendf(nil, `{"operation":%q,"amount":1200,"currency":"EUR","reference":%q,"note":""}`, op.ID, op.ID)
	if op.Case.Body == nil {
		return doc
	}
	sized := bytes.Repeat([]byte("x"), *op.Case.Body)
	if len(sized) >= len(doc) {
		const end = `"}` // of the note, which is as long as it has to be
		copy(sized, doc[:len(doc)-len(end)])
		copy(sized[len(sized)-len(end):], end)
	}
	return sized
}

// key is a fresh random-looking key for an operation: the seed repeats it, and without the seed it cannot be guessed.
func key(seed uint64, op faults.OperationID) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "key\x00%d\x00%s", seed, op))
	return hex.EncodeToString(sum[:16])
}

func digest(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
