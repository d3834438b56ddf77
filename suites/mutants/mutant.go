// Package mutants holds broken clients, so that the suite itself can be tested: each is the reference client with one defect, and
// names the rules that must catch it. Beside them stand variants: correct clients of other habits, in which no rule may find anything.
//
// A rule without a mutant that it kills proves nothing; a rule that kills a variant is wrong.
package mutants

import (
	"context"
	"slices"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// Mutant is the reference client with one change.
type Mutant struct {
	Name   string
	Defect string   // what it does, as a sentence without a subject
	Trips  []string // the ids of all rules that it breaks, in the catalogue's order; none for a variant
	From   From     // the reference that it is made from; empty = steady
	// Policy makes the change. It is called once for each client, so what it keeps is one client's.
	Policy func(steady.Policy) steady.Policy
	// Around puts something around the client; nil: nothing.
	Around func(*steady.Client) drive.Client
	// Hello changes what the client says of itself; nil: it claims what the reference claims.
	Hello func(drive.Hello) drive.Hello
	// Tells changes what it answers its caller; nil: it answers as the reference does.
	Tells func(drive.Result) drive.Result
}

// From names the reference that a mutant is made from.
type From string

const (
	Steady    From = ""
	Guarded   From = "guarded"   // with guards against making an outage worse
	Isolating From = "isolating" // with what contains a failure
	Hedging   From = "hedging"   // with hedged reads and a retry budget
)

// reference gives what it says of itself, and its policy.
func (f From) reference() (drive.Hello, steady.Policy) {
	switch f {
	case Guarded:
		return steady.GuardedHello(), steady.Guarded()
	case Isolating:
		return steady.IsolatingHello(), steady.Isolating()
	case Hedging:
		return steady.HedgingHello(), steady.Hedging()
	}
	return steady.Hello(), steady.Default()
}

// All gives the mutants, in the catalogue's order of the rule that each was made for.
func All() []Mutant {
	return slices.Concat(
		deadlines(),
		dripping(),
		timers(),
		retrying(),
		refusals(),
		streams(),
		resumptions(),
		statuses(),
		pushback(),
		retryAfter(),
		oddHints(),
		backoff(),
		jitterClaims(),
		ceilings(),
		budgets(),
		idempotency(),
		recovery(),
		concurrent(),
		keyForms(),
		breakers(),
		bulkheads(),
		propagation(),
		connections(),
		redirects(),
		framing(),
		stale(),
		cancellation(),
		hedging(),
		outcomes(),
		nearly(),
	)
}

// Tripping gives the mutants that a rule, by its id, is to catch.
func Tripping(rule string) []Mutant {
	return slices.DeleteFunc(All(), func(m Mutant) bool { return !slices.Contains(m.Trips, rule) })
}

// Carrier brings the mutant to life. The seed is that of all its randomness, keys included; 0 = not to be predicted.
func (m Mutant) Carrier(seed uint64) drive.Carrier {
	hello, policy := m.From.reference()
	if m.Hello != nil {
		hello = m.Hello(hello)
	}
	hello.Name = m.Name
	return drive.Go(hello, func(dial drive.Dial) drive.Client {
		p := policy
		p.Seed = seed
		c := steady.New(dial, m.Policy(p))
		switch {
		case m.Around != nil:
			return m.Around(c)
		case m.Tells != nil:
			return teller{c, m.Tells}
		}
		return c
	})
}

// teller is a client that answers something else than it found.
type teller struct {
	*steady.Client
	tells func(drive.Result) drive.Result
}

func (t teller) Do(ctx context.Context, call drive.Call) drive.Result {
	return t.tells(t.Client.Do(ctx, call))
}
