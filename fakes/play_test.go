package fakes

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// play is a fake with a client, in virtual time.
type play struct {
	*testing.T
	fake    *Fake
	client  *http.Client
	network *wire.Memory
}

// inPlay runs a test in virtual time against a fake; both ends are closed when it is over, and nothing may be left of them.
func inPlay(t *testing.T, c Config, test func(p *play)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := wire.NewMemory()
		c.Clock = clock.Start()
		fake, err := Start(network, "127.0.0.1:0", c)
		if err != nil {
			t.Fatal(err)
		}
		transport := &http.Transport{DialContext: network.DialContext}
		p := &play{T: t, fake: fake, client: &http.Client{Transport: transport}, network: network}
		defer func() {
			transport.CloseIdleConnections()
			if err := fake.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}()
		test(p)
	})
}

// always is a plan with one script for every attempt of every route.
func always(t *testing.T, script string) faults.Plan {
	t.Helper()
	var s faults.Script
	if err := yaml.UnmarshalWithOptions([]byte(script), &s, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return faults.Plan{Routes: []faults.RoutePlan{{Route: "* /*", Script: s}}}
}

// answer is what the client was given.
type answer struct {
	status int
	header http.Header
	body   string
	err    error
	took   time.Duration
}

// send makes one request and reads the whole reply.
func (p *play) send(ctx context.Context, method, target, body string, header ...string) (a answer) {
	p.Helper()
	began := time.Now()
	defer func() { a.took = time.Since(began) }()
	r, err := http.NewRequestWithContext(ctx, method, p.fake.URL()+target, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := p.client.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	return answer{status: reply.StatusCode, header: reply.Header, body: string(text), err: err}
}

// within is send with the client's own patience.
func (p *play) within(patience time.Duration, method, target, body string, header ...string) answer {
	p.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return p.send(ctx, method, target, body, header...)
}

// pay is a keyed payment of one operation.
func (p *play) pay(op, key, body string) answer {
	p.Helper()
	return p.send(context.Background(), http.MethodPost, "/v1/payments?op="+op, body, KeyHeader, key)
}

// record is the journal when all that was under way has come to rest.
func (p *play) record() journal.Record {
	synctest.Wait()
	return p.fake.Record()
}
