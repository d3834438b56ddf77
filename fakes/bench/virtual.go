package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/faults/wire"
)

// The play in virtual time: ten minutes, in which each client asks 500 times and waits 1.2 s for each reply.
const (
	slow           = 1200 * time.Millisecond
	virtualClients = 20
	virtualEach    = 500
)

// playVerb makes this program play in virtual time, and tell how long that took.
const playVerb = "play"

// played is what such a process tells.
type played struct {
	Requests int64
	Virtual  time.Duration
}

// virtualTime measures how fast a play goes in virtual time, with net/http on both sides of a network in memory.
func virtualTime(ctx context.Context, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	began := time.Now()
	told, err := exec.CommandContext(ctx, self, playVerb).Output()
	took := time.Since(began).Seconds()
	if err != nil {
		return fmt.Errorf("the play in virtual time: %w: %s", err, told)
	}
	var p played
	if err := json.Unmarshal(told, &p); err != nil {
		return fmt.Errorf("the play in virtual time told %q: %w", told, err)
	}
	fmt.Fprintf(out, "3. Virtual time. %d clients, %d requests in all, each delayed %v by the plan; net/http on both sides, in memory.\n", virtualClients, p.Requests, slow)
	fmt.Fprintf(out, "   %.0f virtual seconds in %.2f s: %.0f virtual seconds a second, %.0f requests a second\n",
		p.Virtual.Seconds(), took, p.Virtual.Seconds()/took, float64(p.Requests)/took)
	return nil
}

// playAndExit is a process of its own, because virtual time belongs to tests, and package testing ends the process that it runs them in.
func playAndExit(out *os.File) {
	test := testing.InternalTest{Name: "Play", F: func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, err := play(virtualEach)
			if err != nil {
				t.Fatal(err)
			}
			json.NewEncoder(out).Encode(p)
			os.Exit(0)
		})
	}}
	os.Args = os.Args[:1]
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{test}, nil, nil)
}

// play has every client send so many requests.
func play(each int) (played, error) {
	began := time.Now()
	network := wire.NewMemory()
	f, err := fake(network, "slow")
	if err != nil {
		return played{}, err
	}
	l := newLoad(f.URL())
	l.clients = virtualClients
	l.transport.MaxIdleConnsPerHost, l.transport.DialContext = virtualClients, network.DialContext
	met, err := l.times(context.Background(), each)
	l.transport.CloseIdleConnections()
	return played{met.requests, time.Since(began)}, errors.Join(err, f.Close())
}
