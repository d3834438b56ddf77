package portrait_test

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/mutants"
	"github.com/brownout-dev/brownout/suites/portrait"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// sat plays scenarios in virtual time and draws the portrait.
func sat(t *testing.T, c drive.Carrier, names ...scenarios.Name) (p portrait.Portrait) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var ts []transcript.Transcript
		for _, name := range names {
			s, err := scenarios.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			played, err := lab.Virtual(c, 7).Play(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			ts = append(ts, played)
		}
		p = portrait.Of(ts)
	})
	return p
}

var session = []scenarios.Name{
	"unavailable-once", "unavailable-for-ever", "unavailable-for-two-seconds", "busy-twice", "each-permanent-error", "replies-lost-three-times",
	"reply-lost-on-an-unkeyed-write", "refused-for-a-second", "slow-for-a-crowd", "reply-lost-on-a-kept-connection", "server-error-after-commit",
}

// seeded is the reference with a seed of its own: what the test says of its waits is then no matter of luck.
func seeded() drive.Carrier {
	p := steady.Default()
	p.Seed = 7
	return clients.Steady(p)
}

func bundled(t *testing.T, name string) drive.Carrier {
	t.Helper()
	b, err := clients.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := b.Carrier()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func variant(t *testing.T, name string) drive.Carrier {
	t.Helper()
	all := slices.Concat(mutants.Variants(), mutants.All())
	i := slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == name })
	if i < 0 {
		t.Fatalf("no variant and no mutant is called %q", name)
	}
	return all[i].Carrier(7)
}

// TestPortrait holds portraits against what is known of each client.
func TestPortrait(t *testing.T) {
	tests := []struct {
		name     string
		client   func(*testing.T) drive.Carrier
		says     map[string]string // of a trait, a part of what is said
		contrary []string          // the claims that are contradicted
		reason   string
	}{
		{"steady", func(*testing.T) drive.Carrier { return seeded() }, map[string]string{
			"retries":     "; writes without a key as well on a refused connection",
			"does not on": "400, 401, 402",
			"waits":       "full jitter (p ",
			"Retry-After": "honoured: ",
			"keys":        " writes, the same on every attempt",
			"transport":   " came again at once",
			"not seen":    "attempt timer, hedges",
			"budget":      "none: 3 retries for each operation",
		}, nil, "the reference"},
		{"naive", func(t *testing.T) drive.Carrier { return bundled(t, "naive") }, map[string]string{
			"retries":     "writes without a key as well on ",
			"waits":       "1s, no jitter (over 258); not growing",
			"Retry-After": "ignored: ",
			"keys":        "another key in a later attempt of ",
			"transport":   " requests that were lost on a kept connection came again at once",
		}, []string{"max_attempts=5"}, "everything that is wrong with it"},
		{"hedging", func(t *testing.T) drive.Carrier { return bundled(t, "hedging") }, map[string]string{"hedges": "sends another attempt after "}, nil, "hedged reads"},
		{"guarded", func(t *testing.T) drive.Carrier { return bundled(t, "guarded") }, map[string]string{"budget": " were held back before their last attempt, and 0 were never sent"}, nil, "a retry budget"},
		{"isolating", func(t *testing.T) drive.Carrier { return bundled(t, "isolating") }, map[string]string{"budget": " were never sent"}, nil, "a breaker"},
		{"no retries", func(t *testing.T) drive.Carrier { return variant(t, "no-retries") }, map[string]string{
			"retries": "no: one attempt", "Retry-After": "never comes back", "not seen": "waits, attempt timer, hedges, budget",
		}, nil, "one attempt is a policy"},
		{"equal jitter", func(t *testing.T) drive.Carrier { return variant(t, "equal-jitter") }, map[string]string{"waits": "equal jitter (p "}, nil, "as it claims"},
		{"decorrelated jitter", func(t *testing.T) drive.Carrier { return variant(t, "decorrelated-jitter") }, map[string]string{"waits": "decorrelated jitter (p "}, nil, "as it claims"},
		{"a fifth of jitter", func(t *testing.T) drive.Carrier { return variant(t, "a-fifth-of-jitter") }, map[string]string{"waits": "jitter of 19 % either way (p "}, nil, "as it claims"},
		{"no jitter", func(t *testing.T) drive.Carrier { return variant(t, "no-jitter") }, map[string]string{"waits": "100ms, no jitter (over 258); about doubling"}, []string{"jitter=full"}, "it claims full jitter"},
		{"constant waits", func(t *testing.T) drive.Carrier { return variant(t, "claims-to-double") }, map[string]string{"waits": "not growing"}, nil, "growth is BO-01's"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sat(t, tt.client(t), session...)
			seen := map[string]string{}
			for _, l := range p.Lines() {
				seen[l.Trait] = l.Says
				t.Logf("%-14s %s", l.Trait, l.Says)
			}
			for trait, want := range tt.says {
				if !strings.Contains(seen[trait], want) {
					t.Errorf("%s: got %q, want %q in it: %s", trait, seen[trait], want, tt.reason)
				}
			}
			var contrary []string
			for _, x := range p.Contradict {
				contrary = append(contrary, x.Claim)
				t.Logf("contradicted: %s; seen: %s", x.Claim, x.Seen)
			}
			if !slices.Equal(contrary, tt.contrary) {
				t.Errorf("got contradicted %q, want %q: %s", contrary, tt.contrary, tt.reason)
			}
		})
	}
}

// TestClaimsAreHeldAgainstThePortrait has a correct client claim what it does not do, one claim at a time.
func TestClaimsAreHeldAgainstThePortrait(t *testing.T) {
	for _, claim := range []string{
		"max_attempts=3", "max_attempts=5", "jitter=equal", "jitter=none", "base_ms=200", "base_ms=50", "cap_ms=150", "retry_statuses=429", "retry_statuses=404,429,503",
		"key_header=X-Request-Id",
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			of := seeded()
			hello, err := of.Hello().Override(nil, []string{claim})
			if err != nil {
				t.Fatal(err)
			}
			p := sat(t, drive.Claiming(of, hello), session...)
			if len(p.Contradict) == 0 || p.Contradict[0].Claim != claim {
				t.Errorf("got contradictions %v, want %s among them, and first", p.Contradict, claim)
			}
		})
	}
}

// TestNoCorrectClientIsContradicted draws the portrait of every reference from all scenarios, and that of every correct client of other habits
// from those that show most.
func TestNoCorrectClientIsContradicted(t *testing.T) {
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	var names []scenarios.Name
	for _, s := range all {
		names = append(names, s.Name)
	}
	contradicted := func(c drive.Carrier, names []scenarios.Name) func(*testing.T) {
		return func(t *testing.T) {
			t.Parallel()
			for _, x := range sat(t, c, names...).Contradict {
				t.Errorf("got %s contradicted; seen: %s", x.Claim, x.Seen)
			}
		}
	}
	for _, name := range clients.References() {
		t.Run(name, contradicted(bundled(t, name), names))
	}
	for _, m := range mutants.Variants() {
		t.Run(m.Name, contradicted(m.Carrier(7), session))
	}
}

// TestAttemptTimeoutIsHeldAgainstThePortrait has a client that leaves attempts after another time than it claims.
func TestAttemptTimeoutIsHeldAgainstThePortrait(t *testing.T) {
	for claimed, contrary := range map[string]bool{"attempt_timeout_ms=1000": false, "attempt_timeout_ms=1500": true} {
		t.Run(claimed, func(t *testing.T) {
			p := steady.Default()
			p.AttemptTimeout = time.Second
			of := clients.Steady(p)
			hello, err := of.Hello().Override(nil, []string{claimed})
			if err != nil {
				t.Fatal(err)
			}
			seen := sat(t, drive.Claiming(of, hello), "never-answers-no-deadline", "past-the-deadline")
			if said := slices.ContainsFunc(seen.Contradict, func(x portrait.Contradiction) bool { return x.Claim == claimed }); said != contrary || seen.Timer.Attempts < 2 {
				t.Errorf("got %v, a timer of %v, want it contradicted: %v", seen.Contradict, seen.Timer, contrary)
			}
		})
	}
}

func TestNothingSeen(t *testing.T) {
	p := portrait.Of(nil)
	want := []portrait.Line{{Trait: "not seen", Says: "retries, does not on, waits, Retry-After, keys, attempt timer, hedges, transport, budget, outcomes"}}
	if got := p.Lines(); !reflect.DeepEqual(got, want) || p.Contradict != nil {
		t.Errorf("got %v, %v; want %v, and no claim contradicted", got, p.Contradict, want)
	}
}

// A client that leaves the long body of a failure unread has not lost patience.
func TestUnreadFailuresAreNoTimeOuts(t *testing.T) {
	if got := sat(t, bundled(t, "steady"), "failures-with-a-body").Timer; got.Attempts != 0 {
		t.Errorf("got an attempt timer, seen %d times, want none", got.Attempts)
	}
}
