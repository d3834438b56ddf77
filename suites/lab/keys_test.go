package lab

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/brownout-dev/brownout/fakes"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
	"github.com/brownout-dev/brownout/scenarios"
)

// What a scenario says of an endpoint's keys is what the fake does with them, for every request of every scenario.
func TestEndpointsTakeTheKeysTheyAreSaidTo(t *testing.T) {
	if scenarios.DefaultKeyHeader != fakes.KeyHeader {
		t.Errorf("scenarios name the header %s, the fake reads %s", scenarios.DefaultKeyHeader, fakes.KeyHeader)
	}
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	said := map[faults.Route]string{}
	for _, s := range all {
		for _, c := range s.Cases {
			if m := c.Method(); m == "POST" || m == "PATCH" {
				said[c.Request] = c.KeyHeader()
			}
		}
	}
	for request, header := range said {
		t.Run(string(request), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want := 2
				if header != "" {
					want = 1
				}
				if got := effectsOfTwo(t, request); got != want {
					t.Errorf("one key sent twice had %d effects, want %d: its key header is %q", got, want, header)
				}
			})
		})
	}
}

// effectsOfTwo sends a request twice, with the same key.
func effectsOfTwo(t *testing.T, request faults.Route) int {
	network := wire.NewMemory()
	fake, err := fakes.Start(network, "127.0.0.1:0", fakes.Config{Clock: clock.Start()})
	if err != nil {
		t.Fatal(err)
	}
	defer fake.Close()
	transport := &http.Transport{DialContext: network.DialContext}
	defer transport.CloseIdleConnections()
	method, path, _ := strings.Cut(string(request), " ")
	for range 2 {
		r, err := http.NewRequestWithContext(t.Context(), method, fake.URL()+path+"?operation=op-0a0a0a0a", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(fakes.KeyHeader, "k-1")
		reply, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
	}
	return len(fake.Record().Effects)
}
