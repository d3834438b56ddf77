package fakes

import (
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

var _ faults.Exchange = (*exchange)(nil)

// strike lets the strikers of a phase act in the plan's order, until one of them ends it.
func (x *exchange) strike(phase faults.Phase) faults.Step {
	for {
		f, striker, ok := fire[faults.Striker](&x.agenda, phase)
		if !ok {
			return faults.GoOn
		}
		switch striker.Strike(x) {
		case faults.Answer:
			x.agenda.skipThrough(faults.AfterCommit, f.String()+" came first")
			return faults.Answer
		case faults.Over:
			x.agenda.skipThrough(faults.Idle, f.String()+" came first")
			return faults.Over
		}
	}
}

func (x *exchange) Wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-x.fake.playing.Done():
		return false
	}
}

// Hold takes the connection from net/http, which does not read while the body is still to come and would not see the client go.
func (x *exchange) Hold() {
	x.take()
	x.conn.Watch()
	select {
	case <-x.conn.Gone():
	case <-x.fake.playing.Done():
	}
	x.cut()
}

func (x *exchange) Interim(code int) bool {
	if !x.clientGone() && x.fake.playing.Err() == nil {
		x.w.WriteHeader(code)
		return true
	}
	x.cut()
	return false
}

func (x *exchange) Reply() *faults.Reply { return &x.reply }

func (x *exchange) Now() time.Time { return x.fake.config.Clock.Wall(x.fake.config.Clock.Now()) }

func (x *exchange) Reset() { x.end(x.conn.Reset) }

func (x *exchange) Close() { x.end(x.conn.Shut) }

// Sever leaves the claim alone: to whoever comes with the same key, the request is still running.
func (x *exchange) Sever() {
	x.cut()
	x.take()
	x.ended = true
	x.conn.Reset()
}

func (x *exchange) Elsewhere(path string, second bool) string {
	if x.r.URL.RawQuery != "" {
		path += "?" + x.r.URL.RawQuery
	}
	if second {
		return x.fake.Origin(1) + path
	}
	return path
}

// end writes the cut down, gives the claim back and ends the connection, in this order: a client that sees the end may come again at once.
func (x *exchange) end(connection func()) {
	if x.ended {
		return
	}
	x.cut()
	x.release()
	x.take()
	x.ended = true
	connection()
}

// cut writes down that the attempt ends here without a whole reply, unless it has ended before.
func (x *exchange) cut() { x.cutAt(x.fake.config.Clock.Now()) }

func (x *exchange) cutAt(when clock.Moment) {
	if x.over {
		return
	}
	x.over = true
	x.fake.journal.Update(x.number, func(a *journal.Attempt) { a.Cut = when })
}

// answer writes down that the reply was sent whole.
func (x *exchange) answer() {
	x.over, x.answered = true, true
	x.fake.journal.Answered(x.number)
}

// clientGone tells whether the client was seen to have gone.
func (x *exchange) clientGone() bool {
	select {
	case <-x.conn.Gone():
		return true
	default:
		return false
	}
}

// take takes the connection from net/http, so that nothing but a fault is sent on it from now on.
func (x *exchange) take() {
	if x.taken {
		return
	}
	x.taken = true
	_, buffered, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		panic("connection cannot be taken from net/http: " + err.Error())
	}
	x.unread = buffered.Reader
}
