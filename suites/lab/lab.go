// Package lab assembles a play: a network, a fake on it, a client brought to life by its carrier, and a scenario. What comes out is a
// transcript; nothing is judged here.
package lab

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/brownout-dev/brownout/fakes"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Lab is where plays take place. Plays share nothing, so a lab may run any number at once.
type Lab struct {
	Name     string // real or virtual
	Network  wire.Network
	Carrier  drive.Carrier
	Seed     uint64
	Addr     string        // where the fake listens; empty = a free port of 127.0.0.1
	Overhead time.Duration // what the adapter itself was seen to take
	Punctual bool          // its timers are never late, so nobody watches them
}

// Real is a lab on loopback TCP, for any client.
func Real(c drive.Carrier, seed uint64) Lab {
	return Lab{Name: "real", Network: wire.TCP{}, Carrier: c, Seed: seed}
}

// Virtual is a lab in memory, for Go clients inside a testing/synctest bubble: hours take moments, and a seed repeats a play exactly.
func Virtual(c drive.Carrier, seed uint64) Lab {
	return Lab{Name: "virtual", Network: wire.NewMemory(), Carrier: c, Seed: seed, Punctual: true}
}

// Play runs one scenario against the client and writes everything down. The transcript is whole even when ctx ends early; then the
// error is ctx's. Nothing of the play is left when it returns, but for calls of a Go client that did not come back.
func (l Lab) Play(ctx context.Context, s scenarios.Scenario) (transcript.Transcript, error) {
	clk := clock.Start()
	perCall := l.Carrier.Hello().Has(drive.ProcessPerCall)
	s = s.Fitted(claimed(l.Carrier.Hello().Claims))
	operations := s.Operations(l.Seed, perCall)
	if hello := l.Carrier.Hello(); !hello.Has(drive.Budget) && !hello.Has(drive.Breaker) {
		operations = scenarios.Together(operations)
	}

	fake, err := fakes.Start(l.Network, cmp.Or(l.Addr, "127.0.0.1:0"), fakes.Config{
		Clock:     clk,
		Plan:      s.Plan(operations),
		Origins:   scenarios.Origins(operations),
		Closed:    scenarios.ClosedAt,
		Capacity:  s.Capacity,
		Retention: s.Retention,
		Roll:      faults.Roll{Seed: l.Seed, Scenario: string(s.Name)},
	})
	if err != nil {
		return transcript.Transcript{}, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	late := &drive.Watcher{}
	if !l.Punctual {
		late = drive.WatchLateness()
	}
	st := &stage{lab: l, scenario: s, fake: fake, clock: clk}
	driven, skipped := st.drive(ctx, operations)
	quiet := st.listenOn(ctx, driven)

	// The fake goes first: a client that is still at it then meets a closed port and comes to its end.
	failure, left := fake.Close(), st.dismiss()
	t := transcript.Transcript{
		Schema:          transcript.Schema,
		Scenario:        string(s.Name),
		ScenarioText:    s.Text,
		Lab:             l.Name,
		Seed:            l.Seed,
		Capacity:        s.Capacity,
		Client:          l.Carrier.Hello(),
		Overhead:        clock.Span(l.Overhead),
		Lateness:        clock.Span(late.Stop()),
		TypicalLateness: clock.Span(late.Typical()),
		QuietFor:        clock.Span(quiet),
		Ended:           clk.Now(),
		Started:         clk.Wall(clock.Never),
		Operations:      driven,
		Skipped:         skipped,
		Record:          fake.Record(),
	}
	if failure != nil {
		t.Failure = failure.Error()
	}
	if left != nil {
		t.Trouble = append(t.Trouble, left.Error())
	}
	return t, ctx.Err()
}
