package main

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

// Every server that is measured can be started, does what the load asks of it, and ends when whoever started it goes.
func TestServers(t *testing.T) {
	for _, row := range []struct {
		name  string
		keyed bool
	}{
		{"bare", false}, {"fake", false}, {"fake", true}, {"chain", false}, {"latency", false}, {"delay", false}, {"toxiproxy", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			in, parent := io.Pipe()
			told, out := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- serve(row.name, in, out) }()
			url, err := bufio.NewReader(told).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			l := newLoad(strings.TrimSpace(url))
			if row.keyed {
				l.path, l.dress = "/v1/payments", withKey
			}
			met, err := l.times(t.Context(), 2)
			if want := int64(2 * connections); err != nil || met.requests != want {
				t.Errorf("got %d requests and %v, want %d", met.requests, err, want)
			}
			l.transport.CloseIdleConnections()
			parent.Close()
			if err := <-ended; err != nil {
				t.Errorf("got %v at the end, want nothing", err)
			}
		})
	}
}

func TestUnknownServer(t *testing.T) {
	if err := serve("nonesuch", strings.NewReader(""), io.Discard); err == nil || !strings.Contains(err.Error(), "nonesuch") {
		t.Errorf("got %v, want an error that names it", err)
	}
}

// The fake takes what a hostile client sends, so that its memory is that of attempts and not of refusals.
func TestKept(t *testing.T) {
	_, attempts, err := kept(t.Context(), 1, func(l *load) { l.dress = hostile })
	if want := connections; err != nil || attempts != want {
		t.Errorf("got %d attempts, %v, want %d", attempts, err, want)
	}
}

// The load believes no server that does not answer as it should.
func TestLoadEndsWithTheFirstError(t *testing.T) {
	url, stop, err := bare()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	l := newLoad(url)
	defer l.transport.CloseIdleConnections()
	l.path = "/elsewhere"
	if _, err := l.times(t.Context(), 1000); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("got %v, want the 404 that the server answers there", err)
	}
}

func TestPortIn(t *testing.T) {
	for _, row := range []struct {
		name, out, port string
		err             error
	}{
		{"among other settings", "version:   3.13.2\nport:        42923\nverbose: false\n", "42923", nil},
		{"it ended", "Error: could not bind\n", "", errNoPort},
		{"it said nothing", "", "", errNoPort},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, err := portIn(strings.NewReader(row.out)); got != row.port || !errors.Is(err, row.err) {
				t.Errorf("got %q, %v, want %q, %v", got, err, row.port, row.err)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	slow, fast := &contender{rates: []float64{10, 1, 20}}, &contender{rates: []float64{30, 2, 40}}
	if got := fast.times(slow); got != 2 {
		t.Errorf("got %g times as fast, want 2, the median of 3, 2 and 2", got)
	}
}

func TestMedian(t *testing.T) {
	for _, row := range []struct {
		list []float64
		want float64
	}{
		{[]float64{3, 1, 2}, 2},
		{[]float64{4, 1, 3, 2}, 3},
		{[]float64{7}, 7},
	} {
		if got := median(row.list); got != row.want {
			t.Errorf("%v: got %g, want %g", row.list, got, row.want)
		}
	}
}
