// Package clients lists the clients that come with the tool.
package clients

import (
	"context"
	"fmt"
	"strings"

	"github.com/brownout-dev/brownout/suites/clients/curl"
	"github.com/brownout-dev/brownout/suites/clients/naive"
	"github.com/brownout-dev/brownout/suites/clients/nethttp"
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// Bundled is a client that can be judged by its name.
type Bundled struct {
	Name    string
	Says    string
	Carrier func() (drive.Carrier, error)
}

// All lists the bundled clients.
func All() []Bundled {
	return []Bundled{
		{"steady", "the reference: one deadline, one key, bounded retries with full jitter", inProcess(Steady(steady.Default()))},
		{"guarded", "the reference with guards against making an outage worse: a retry budget", inProcess(carry(steady.GuardedHello(), steady.Guarded()))},
		{"isolating", "the reference with what contains a failure: a circuit breaker, a bulkhead, and the time left told to the service", inProcess(carry(steady.IsolatingHello(), steady.Isolating()))},
		{"hedging", "the reference with hedged reads, paid for by a retry budget", inProcess(carry(steady.HedgingHello(), steady.Hedging()))},
		{"naive", "the retry loop that people write first", inProcess(drive.Go(naive.Hello(), func(d drive.Dial) drive.Client { return naive.New(d) }))},
		{"nethttp", "Go's net/http as it is, without any retry code", inProcess(drive.Go(nethttp.Hello(), func(d drive.Dial) drive.Client { return nethttp.New(d) }))},
		{"curl", "curl with its own retry options, nothing wrapped around it", func() (drive.Carrier, error) { return curl.New(context.Background()) }},
	}
}

// Named finds a bundled client. An error says which there are.
func Named(name string) (Bundled, error) {
	var names []string
	for _, b := range All() {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	return Bundled{}, fmt.Errorf("no bundled client is called %q: want one of %s", name, strings.Join(names, ", "))
}

// References names the correct ones among them: what every rule is tried on, and what the mutants are made from.
func References() []string { return []string{"steady", "guarded", "isolating", "hedging"} }

// Steady carries the reference client under a policy.
func Steady(p steady.Policy) drive.Carrier {
	return carry(steady.Hello(), p)
}

// carry carries a client of the reference's kind that says of itself what hello says.
func carry(hello drive.Hello, p steady.Policy) drive.Carrier {
	return drive.Go(hello, func(d drive.Dial) drive.Client { return steady.New(d, p) })
}

func inProcess(c drive.Carrier) func() (drive.Carrier, error) {
	return func() (drive.Carrier, error) { return c, nil }
}
