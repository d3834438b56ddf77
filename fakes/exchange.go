package fakes

import (
	"bufio"
	"fmt"
	"net/http"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/wire"
)

// exchange is one attempt from its head to its end, in the hands of one goroutine. The journal is always a step ahead of the wire: what
// is about to happen is written down before the client can see it.
type exchange struct {
	fake     *Fake
	endpoint endpoint
	w        http.ResponseWriter
	r        *http.Request
	conn     *wire.Conn
	wire     *wire.Request

	number    int // of the attempt
	operation faults.OperationID
	try       int
	named     bool // operation and try are known
	agenda    agenda

	body     body
	bodyRead bool         // nothing of the body is left on the wire
	key      string       // the idempotency key that the endpoint obeys; empty = none
	claim    stores.Claim // the right to apply the request, until it is used or given back
	verdict  *faults.Reply
	replayed bool         // verdict is a saved result
	reply    faults.Reply // to be sent

	taken    bool          // the connection is ours and no longer net/http's
	unread   *bufio.Reader // what net/http had read of it but not used, and all that comes after, once it is taken
	spared   bool          // the connection was taken, and is given back after the whole reply
	ended    bool          // the connection has been closed or reset
	answered bool          // the reply was sent whole
	over     bool          // the journal knows how the attempt ended
}

// run takes the attempt through its stages. One that says Answer leads straight to the reply; one that says Over is the last.
//
//	head faults ─▶ body ─▶ claim ─▶ before-commit faults ─▶ commit ─▶ after-commit faults ─▶ reply
//
// The claim stands before the before-commit faults but its answer (a conflict, a replay, a missing key) comes after them. So while an
// attempt is held or delayed before its commit, the next one with its key meets 409; and a status that the plan puts there goes
// before whatever the endpoint would have said, as that of an overloaded server does which has not looked at the request.
func (x *exchange) run() {
	defer x.finish()
	x.begin()
	for _, stage := range []func() faults.Step{x.head, x.readBody, x.ask, x.beforeCommit, x.commit, x.afterCommit} {
		switch stage() {
		case faults.Over:
			return
		case faults.Answer:
			x.deliver()
			return
		}
	}
	x.deliver()
}

// begin writes the attempt into the journal. Without a token in the head it waits to be named by its body, if there is one.
func (x *exchange) begin() {
	x.operation, x.named = operationInHead(x.r)
	x.bodyRead = x.r.Body == http.NoBody
	x.named = x.named || x.bodyRead
	a := x.fake.journal.Begin(journal.Attempt{
		Operation:      x.operation,
		Connection:     x.conn.Number(),
		Origin:         x.conn.Origin(),
		Use:            x.wire.Use(),
		Method:         x.r.Method,
		Target:         x.r.RequestURI,
		Header:         x.r.Header,
		Key:            x.r.Header.Get(KeyHeader),
		DeclaredLength: declaredLength(x.r),
	}, x.named, x.wire)
	x.number, x.try = a.Number, a.Try
	if x.named {
		x.plan()
	}
}

// declaredLength is the request's Content-Length, or -1 without one.
func declaredLength(r *http.Request) int64 {
	if len(r.Header["Content-Length"]) == 0 {
		return -1
	}
	return r.ContentLength
}

func (x *exchange) head() faults.Step { return x.strike(faults.Head) }

// readBody reads the request to its end. One that does not arrive whole is refused: nothing is known of what was meant.
func (x *exchange) readBody() faults.Step {
	x.takeBody()
	if !x.named {
		x.operation = tokenIn(x.body.kept)
		x.try = x.fake.journal.Name(x.number, x.operation)
		x.plan()
		x.agenda.skipThrough(faults.Head, "the head carries no operation token, and the body was not read yet")
	}
	if x.body.err != nil {
		x.agenda.skipThrough(faults.AfterCommit, "the body did not arrive whole")
		x.reply = refuse(x.operation, statusOf(x.body.err), x.body.err.Error())
		return faults.Answer
	}
	return faults.GoOn
}

// takeBody reads the body to its end, and writes down what came of it and when.
func (x *exchange) takeBody() {
	x.body = readBody(x.w, x.r)
	x.bodyRead = x.body.err == nil
	x.fake.journal.Update(x.number, func(a *journal.Attempt) {
		x.body.record(a)
		if x.bodyRead {
			a.BodyRead = x.fake.config.Clock.Now()
		}
	})
}

func (x *exchange) beforeCommit() faults.Step {
	step := x.overload()
	if step == faults.GoOn {
		step = x.strike(faults.BeforeCommit)
	}
	if step != faults.GoOn {
		x.release()
	}
	return step
}

// commit carries the request out, or takes up the verdict that stands against that. A refused request has no commit, and so nothing that
// could happen after it; a replayed one had it.
func (x *exchange) commit() faults.Step {
	if x.verdict == nil {
		return x.apply()
	}
	x.reply = *x.verdict
	if x.replayed {
		x.reply.Header.Set(ReplayedHeader, "true")
		return faults.GoOn
	}
	x.agenda.skipThrough(faults.AfterCommit, fmt.Sprintf("nothing was committed: the request was refused with %d", x.reply.Status))
	return faults.Answer
}

func (x *exchange) apply() faults.Step {
	claim := x.claim
	x.claim = nil
	reply, err := claim.Commit(x.fake.playing, x.work)
	if err != nil {
		x.agenda.skipThrough(faults.AfterCommit, "nothing was committed: the store failed")
		x.reply = x.storeFailed(err)
		return faults.Answer
	}
	x.reply = reply
	return faults.GoOn
}

// work is what the endpoint makes of the request, and what a fault makes of that before it is kept.
func (x *exchange) work(t stores.Tx) faults.Reply {
	reply := x.endpoint.work(x.request(), t)
	if _, keeper, ok := fire[faults.Keeper](&x.agenda, faults.AfterCommit); ok {
		keeper.Keep(&reply)
	}
	return reply
}

func (x *exchange) afterCommit() faults.Step { return x.strike(faults.AfterCommit) }

// finish leaves nothing open, whatever happened. Without a whole reply the connection is taken, or net/http would answer with an
// empty 200.
func (x *exchange) finish() {
	x.agenda.skipThrough(faults.Idle, "the attempt was over")
	switch {
	case !x.answered:
		x.Close()
	case x.spared && !x.ended:
		x.giveBack()
	}
}
