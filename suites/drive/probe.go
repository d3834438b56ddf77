package drive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/fakes"
	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// Calibration is what a carrier and this machine add to a client's own time.
type Calibration struct {
	Overhead time.Duration // the most that a plain GET took beyond the time it spent inside the fake
	Runs     int           // how many were measured
	Lateness time.Duration // of the machine's timers meanwhile, at its worst
}

// What the probe gives a client: a deadline that any program can start within, and time for retries that do not know of it. One call that
// takes longer is not judged, it is a setup that hangs.
const (
	probeDeadline = 5 * time.Second
	probePatience = 30 * time.Second
	probeRuns     = 5
)

// Probe asks a client for the simplest things and refuses it with a [SetupError] when what it tells is not true: a 200 has to come back ok,
// after one request; a 404 and a port that nobody listens on must not. Then it measures what the carrier adds, and sees that an adapter reads
// on while a call is under way. It sends nothing but GET, so that a missing key is for the rules to find.
//
// All of it happens at addr ("127.0.0.1:0" for any port), also that nobody listens: a client's URL may be fixed.
func Probe(ctx context.Context, c Carrier, n wire.Network, addr string) (cal Calibration, err error) {
	client, done, err := c.New(ctx, n.DialContext)
	if err != nil {
		return cal, err
	}
	defer func() {
		if left := done(); left != nil {
			err = errors.Join(err, fmt.Errorf("the adapter is not set up right: after plain requests, %w", left))
		}
	}()
	p := prober{client: client, network: n, addr: addr}
	if err := p.answered(faults.Plan{}, func() error { return p.honest(ctx) }); err != nil {
		return cal, err
	}
	if err := p.refused(ctx); err != nil {
		return cal, err
	}
	if err := p.answered(faults.Plan{}, func() (err error) { cal, err = p.measure(ctx); return err }); err != nil {
		return cal, err
	}
	return cal, p.together(ctx, c.Hello())
}

type prober struct {
	client  Client
	network wire.Network
	addr    string
	fake    *fakes.Fake // nil = nobody listens
}

// answered does something while a fake listens.
func (p *prober) answered(plan faults.Plan, do func() error) (err error) {
	if p.fake, err = fakes.Start(p.network, p.addr, fakes.Config{Clock: clock.Start(), Plan: plan}); err != nil {
		return err
	}
	err = errors.Join(do(), p.fake.Close())
	p.fake = nil
	return err
}

// probed is one answered question.
type probed struct {
	Result
	reached []journal.Attempt // what of it came to the fake
	strays  int               // requests that came to the fake meanwhile and belong to no operation
}

const (
	plain200 = "a plain GET that is answered with 200"
	plain404 = "a plain GET that is answered with 404"
	nobody   = "a GET to a port that nobody listens on"
)

// honest asks the two questions that need an answer and no judge.
func (p *prober) honest(ctx context.Context) error {
	if _, err := p.found(ctx); err != nil {
		return err
	}
	return p.notOK(ctx, plain404, p.fake.URL()+"/v1/absent")
}

// refused asks the third, where nobody answers.
func (p *prober) refused(ctx context.Context) error {
	port, err := p.network.Open(p.addr)
	if err != nil {
		return err
	}
	defer port.Close()
	if port.Refuse() != nil {
		port.Close() // where a port cannot be held shut; nobody is likely to take it meanwhile
	}
	return p.notOK(ctx, nobody, "http://"+port.Addr().String()+"/v1/catalogue")
}

// notOK asks for what cannot be had.
func (p *prober) notOK(ctx context.Context, asked, url string) error {
	const want = `any outcome but "ok"`
	a, err := p.ask(ctx, asked, want, url)
	if err == nil && a.Outcome == OK {
		err = a.refuse(asked, want)
	}
	return err
}

// found asks for what is there, and wants it brought back by one request.
func (p *prober) found(ctx context.Context) (probed, error) {
	const want = `outcome "ok", after one request`
	a, err := p.ask(ctx, plain200, want, p.fake.URL()+"/v1/catalogue")
	if err == nil && (a.Outcome != OK || len(a.reached) != 1 || a.strays > 0) {
		err = a.refuse(plain200, want)
	}
	return a, err
}

// ask has the client do one GET. A client that hangs, or whose adapter is in trouble, is refused whatever it was asked.
func (p *prober) ask(ctx context.Context, asked, want, url string) (probed, error) {
	op := probeOperation()
	strays := p.strays()
	a := probed{Result: p.client.Do(ctx, probeCall(op, url))}
	if ctx.Err() != nil {
		return a, fmt.Errorf("probing the client: %w", ctx.Err())
	}
	a.reached = p.reached(op)
	a.strays = p.strays() - strays
	if a.Trouble != "" || a.GaveUp {
		return a, a.refuse(asked, want)
	}
	return a, nil
}

func probeOperation() faults.OperationID {
	return faults.OperationID("op-" + strings.ReplaceAll(newKey(), "-", ""))
}

func probeCall(op faults.OperationID, url string) Call {
	return Call{
		Operation: op,
		Method:    "GET",
		URL:       url + "?operation=" + string(op),
		Deadline:  probeDeadline,
		Patience:  probePatience,
	}
}

// reached gives what of an operation came to the fake.
func (p *prober) reached(op faults.OperationID) (all []journal.Attempt) {
	for _, attempt := range p.attempts() {
		if attempt.Operation == op {
			all = append(all, attempt)
		}
	}
	return all
}

func (p *prober) attempts() []journal.Attempt {
	if p.fake == nil {
		return nil
	}
	return p.fake.Record().Attempts
}

func (p *prober) strays() (n int) {
	for _, attempt := range p.attempts() {
		if attempt.Operation == "" {
			n++
		}
	}
	return n
}

// measure asks for what is there a few times more.
func (p *prober) measure(ctx context.Context) (cal Calibration, err error) {
	watch := WatchLateness()
	defer watch.Stop()
	for range probeRuns {
		a, err := p.found(ctx)
		if err != nil {
			return cal, err
		}
		inside := max(0, a.reached[0].ReplyLast.Sub(a.reached[0].FirstByte))
		cal.Overhead = max(cal.Overhead, a.Ended.Sub(a.Began)-inside)
		cal.Runs++
	}
	cal.Lateness = watch.Stop()
	return cal, nil
}
