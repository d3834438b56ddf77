package lab

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/fakes"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// stage is one play while it runs.
type stage struct {
	lab      Lab
	scenario scenarios.Scenario
	fake     *fakes.Fake
	clock    clock.Clock
	cast     []member // the instances of the client, in order of their coming
}

// member is one instance of the client under test.
type member struct {
	client drive.Client
	done   func() error
}

// atOnce is how many operations a scenario has under way at the most: enough for clients to fail together, few enough for the file
// descriptors of a small machine.
const atOnce = 400

// apart is the time between operations that follow each other. What happens at one moment has no order: a connection that closes with the end of
// one would be noticed by the next now and then.
const apart = time.Millisecond

// drive asks for every operation in the scenario's order and waits for all answers.
func (st *stage) drive(ctx context.Context, ops []scenarios.Operation) ([]transcript.Operation, []transcript.Skipped) {
	ops, skipped := st.playable(ops)
	driven := make([]transcript.Operation, len(ops))
	if st.scenario.Order == scenarios.Sequential {
		for i, op := range ops {
			rest(ctx, apart+op.Case.After)
			driven[i] = st.one(ctx, op)
		}
		return driven, skipped
	}
	instances := make([]drive.Client, max(1, st.scenario.Clients))
	for i := range instances {
		instances[i] = st.enter(ctx)
	}
	var all sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for i, op := range ops {
		places <- struct{}{}
		if i > 0 && ops[i-1].Case == op.Case {
			rest(ctx, op.Case.Every)
		} else {
			rest(ctx, op.Case.After)
		}
		all.Go(func() {
			driven[i] = st.ask(ctx, instances[i%len(instances)], op)
			<-places
		})
	}
	all.Wait()
	return driven, skipped
}

// one asks for an operation of a sequential scenario, on the connection that its case wants.
func (st *stage) one(ctx context.Context, op scenarios.Operation) transcript.Operation {
	if len(st.cast) == 0 || op.Case.Connection == scenarios.Cold {
		st.enter(ctx)
	}
	client := st.cast[len(st.cast)-1].client
	if op.Case.Connection == scenarios.Warm {
		client.Do(ctx, st.warmUp(op))
	}
	return st.ask(ctx, client, op)
}

// playable leaves out the cases that this client cannot be asked to do, and says why.
func (st *stage) playable(ops []scenarios.Operation) (left []scenarios.Operation, skipped []transcript.Skipped) {
	hello, said := st.lab.Carrier.Hello(), map[string]bool{}
	for _, op := range ops {
		reason, scaled, unit := "", op.Case.Scale != scenarios.Unscaled, claimed(hello.Claims)(op.Case.Scale)
		switch {
		case scaled && unit == 0:
			reason = "the client claims no " + op.Case.Scale.Claim() + ", which this case is measured in"
		case scaled && unit > longestUnit:
			reason = fmt.Sprintf("the client's %s is %s: claim, and set for the test, at most %s", op.Case.Scale.Claim(), unit, longestUnit)
		case st.lab.Addr != "" && (op.Case.Origin == scenarios.SecondOrigin || op.Case.Origin == scenarios.ClosedOrigin):
			reason = "the fake listens on the one address that was asked for, and this case wants another"
		case st.lab.Addr != "" && op.Case.Script.AnotherOrigin():
			reason = "the fake listens on the one address that was asked for, and this case leads to another"
		case op.Case.Script.AnotherOrigin() && !st.anotherHost():
			reason = "this system has one loopback address, and to some clients two ports of one host are one place"
		case op.Case.Policy != nil && !hello.Has(drive.PolicyPerCall):
			reason = "the client takes no retry policy with a call (feature policy)"
		case op.Case.Cancel > 0 && !hello.Has(drive.Cancel):
			reason = "the client cannot be cancelled (feature cancel)"
		case op.Case.Stream && !hello.Has(drive.StreamBody):
			reason = "the client cannot send a body from a stream (feature stream-body)"
		case op.Case.Connection == scenarios.Warm && hello.Has(drive.ProcessPerCall):
			reason = "each call is a process of its own, so no connection is kept"
		}
		if reason == "" {
			left = append(left, op)
		} else if !said[op.Case.Name] {
			said[op.Case.Name] = true
			skipped = append(skipped, transcript.Skipped{Case: op.Case.Name, Reason: reason})
		}
	}
	return left, skipped
}

// anotherHost tells whether the fake's second origin differs from the first by more than its port.
func (st *stage) anotherHost() bool {
	first, err := url.Parse(st.fake.Origin(0))
	second, errToo := url.Parse(st.fake.Origin(1))
	return err == nil && errToo == nil && first.Hostname() != second.Hostname()
}

// enter brings a fresh instance of the client to life. One that does not come to life answers every call with the reason.
func (st *stage) enter(ctx context.Context) drive.Client {
	client, done, err := st.lab.Carrier.New(ctx, st.lab.Network.DialContext)
	if err != nil {
		client = drive.Func(func(context.Context, drive.Call) drive.Result {
			return drive.Result{Outcome: drive.Error, Trouble: err.Error()}
		})
		done = func() error { return nil }
	}
	st.cast = append(st.cast, member{client, done})
	return client
}

// dismiss ends every instance and says what was left behind.
func (st *stage) dismiss() error {
	var left []error
	for _, m := range st.cast {
		left = append(left, m.done())
	}
	return errors.Join(left...)
}

// How long the fake listens on after the last answer: at least twice the longest wait that the client was seen to take, so that a retry
// which the client had planned before it gave up would still be seen; bounded, since a wait of minutes is a finding by itself.
const (
	leastQuiet = 2 * time.Second
	mostQuiet  = 10 * time.Second
)

// listenOn keeps the fake open for the quiet window and tells how long that was. Where each call is a process of its own, the process is over and
// all that it had started was ended with it: there the least window is enough.
func (st *stage) listenOn(ctx context.Context, driven []transcript.Operation) time.Duration {
	if len(driven) == 0 {
		return 0
	}
	quiet, most := leastQuiet, mostQuiet
	if st.lab.Carrier.Hello().Has(drive.ProcessPerCall) {
		most = leastQuiet
	}
	for _, op := range (transcript.Transcript{Operations: driven, Record: st.fake.Record()}).Ops() {
		for _, wait := range op.Waits() {
			quiet = min(max(quiet, 2*wait), most)
		}
	}
	began := st.clock.Now()
	rest(ctx, quiet)
	return st.clock.Now().Sub(began)
}

// rest lets time pass, unless the play is interrupted.
func rest(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
