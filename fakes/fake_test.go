package fakes

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// surplus is an idle fault: bytes after a whole reply that look like another one.
type surplus struct{}

func (surplus) Kind() faults.Kind {
	return faults.Kind{Name: "surplus", Phases: []faults.Phase{faults.Idle}}
}
func (surplus) Fields() []faults.Field { return nil }
func (surplus) Check() error           { return nil }
func (surplus) String() string         { return "surplus" }
func (surplus) Send(_ faults.Phase, _ faults.Exchange, w faults.Raw) (bool, error) {
	_, err := w.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
	return true, err
}

// broken is a fault with a mistake in it.
type broken struct{ surplus }

func (broken) Kind() faults.Kind {
	return faults.Kind{Name: "broken", Phases: []faults.Phase{faults.AfterCommit}}
}
func (broken) Strike(faults.Exchange) faults.Step { panic("this fault is broken") }

// mute is a fault without any ability.
type mute struct{ faults.Action }

func with(at faults.Phase, a faults.Action) faults.Plan {
	return faults.Plan{Routes: []faults.RoutePlan{{
		Route:  "* /*",
		Script: faults.Script{Steps: [][]faults.Fault{{{At: at, Action: a}}}},
	}}}
}

func TestPlansThatCannotBeCarriedOut(t *testing.T) {
	for _, row := range []struct {
		name string
		plan faults.Plan
		want string
	}{
		{"no ability at all", with(faults.AfterCommit, mute{&faults.Reset{}}), "plan: routes: entry 1: step 1: reset after-commit: the fake has no way to carry it out there"},
		{"of an operation", faults.Plan{Operations: map[faults.OperationID]faults.Script{"op-00000001": with(faults.AfterCommit, mute{&faults.Reset{}}).Routes[0].Script}},
			"plan: operation op-00000001: step 1: reset after-commit: the fake has no way to carry it out there"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, err := Start(wire.NewMemory(), "127.0.0.1:0", Config{Clock: clock.Start(), Plan: row.plan})
			if err == nil {
				f.Close()
				t.Fatal("got no error")
			}
			if err.Error() != row.want {
				t.Errorf("got  %s\nwant %s", err, row.want)
			}
		})
	}
	t.Run("wrong phase", func(t *testing.T) {
		if f, err := Start(wire.NewMemory(), "127.0.0.1:0", Config{Clock: clock.Start(), Plan: with(faults.Head, &faults.Truncate{})}); err == nil {
			f.Close()
			t.Error("got no error")
		}
	})
	t.Run("port in use", func(t *testing.T) {
		inPlay(t, Config{}, func(p *play) {
			addr := strings.TrimPrefix(p.fake.URL(), "http://")
			if f, err := Start(p.network, addr, Config{Clock: clock.Start()}); err == nil {
				f.Close()
				t.Error("got no error")
			}
		})
	})
}

// A server does not stop working because its client has lost patience.
func TestDelayBeforeCommitOutlivesItsClient(t *testing.T) {
	inPlay(t, Config{Plan: always(t, `[delay 10s]`)}, func(p *play) {
		if got := p.within(3*time.Second, http.MethodPost, "/nokeys/orders?op=op-00000001", "{}").saw(); got != "timeout" {
			t.Errorf("got %s, want timeout", got)
		}
		if r := p.record(); len(r.Effects) != 0 || came(r.Attempts[0]) != "0, gone 3s" {
			t.Errorf("while it is delayed: got %d effects and %s", len(r.Effects), came(r.Attempts[0]))
		}
		time.Sleep(time.Minute)
		r := p.record()
		if got := r.Effects[0].At.Sub(beginning); got != 10*time.Second {
			t.Errorf("got its effect after %s, want 10s", got)
		}
		if got := r.Attempts[0]; got.Committed != r.Effects[0].At || !got.Cut.Happened() || got.ReplyLast.Happened() {
			t.Errorf("got %+v, want a commit and no reply", got)
		}
	})
}

// What happens is in the journal before it is over.
func TestRecordWhileAnAttemptRuns(t *testing.T) {
	inPlay(t, Config{Plan: always(t, `[[delay 5s head, delay 5s after-commit]]`)}, func(p *play) {
		go p.pay("op-00000001", "k", "{}")
		type moment struct {
			attempts, effects int
			decided           []string
		}
		at := func() moment {
			r := p.record()
			return moment{len(r.Attempts), len(r.Effects), decided(r.Decisions)}
		}
		time.Sleep(time.Second)
		if diff := cmp.Diff(moment{1, 0, []string{"fired delay 5s head"}}, at(), cmp.AllowUnexported(moment{})); diff != "" {
			t.Errorf("at its head (-want +got):\n%s", diff)
		}
		time.Sleep(5 * time.Second)
		if diff := cmp.Diff(moment{1, 1, []string{"fired delay 5s head", "fired delay 5s after-commit"}}, at(), cmp.AllowUnexported(moment{})); diff != "" {
			t.Errorf("after its commit (-want +got):\n%s", diff)
		}
		time.Sleep(5 * time.Second)
	})
}

func TestCloseEndsWhatIsHeld(t *testing.T) {
	const held = 100
	for _, script := range []string{`[hold head]`, `[hold]`, `[hold after-commit]`, `[delay 1h head]`, `[delay 1h]`, `[stall]`, `[{fault: drip, every: 1h}]`} {
		t.Run(script, func(t *testing.T) {
			plan := always(t, script)
			plan.Routes[0].Script.Repeat = true
			inPlay(t, Config{Plan: plan}, func(p *play) {
				ended := make(chan answer, held)
				for i := range held {
					go func() { ended <- p.pay("op-00000001", fmt.Sprint(i), "{}") }()
				}
				synctest.Wait()
				began := time.Now()
				if err := p.fake.Close(); err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took != 0 {
					t.Errorf("close took %s", took)
				}
				for range held {
					if a := <-ended; a.err == nil {
						t.Errorf("got %s, want an error", a.saw())
					}
				}
				for _, a := range p.fake.Record().Attempts {
					if !a.Cut.Happened() {
						t.Errorf("attempt %d has no end", a.Number)
					}
				}
			})
		})
	}
}

func TestCloseTwice(t *testing.T) {
	inPlay(t, Config{}, func(p *play) {
		if first, second := p.fake.Close(), p.fake.Close(); first != nil || second != nil {
			t.Errorf("got %v and %v", first, second)
		}
	})
}

// A body that never comes does not hold the fake for ever.
func TestPatienceForABody(t *testing.T) {
	inPlay(t, Config{}, func(p *play) {
		c, err := p.network.DialContext(context.Background(), "tcp", strings.TrimPrefix(p.fake.URL(), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, "POST /orders/op-00000001 HTTP/1.1\r\nHost: fake\r\nContent-Length: 10\r\n\r\nhalf")
		time.Sleep(Patience - time.Second)
		io.WriteString(c, "h") // each byte is waited for anew
		reply, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if reply.StatusCode != http.StatusRequestTimeout || !reply.Close {
			t.Errorf("got %s, closing %t, want 408 and the connection's end", reply.Status, reply.Close)
		}
		a := p.record().Attempts[0]
		if a.BodyBytes != 5 || !strings.Contains(a.BodyError, "timeout") || a.BodyRead.Happened() || a.ReplyLast.Sub(beginning) != 2*Patience-time.Second {
			t.Errorf("got %+v", a)
		}
	})
}

func TestExpectContinue(t *testing.T) {
	for _, row := range []struct{ name, script, want string }{
		{"the body is asked for", `[ok]`, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n"},
		{"it is not when the head is answered", `[503 head]`, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			inPlay(t, Config{Plan: always(t, row.script)}, func(p *play) {
				c, err := p.network.DialContext(context.Background(), "tcp", strings.TrimPrefix(p.fake.URL(), "http://"))
				if err != nil {
					t.Fatal(err)
				}
				io.WriteString(c, "POST /orders/op-00000001 HTTP/1.1\r\nHost: fake\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
				time.Sleep(time.Second)
				io.WriteString(c, "{}")
				time.Sleep(time.Second)
				got := make([]byte, 1<<10)
				n, err := c.Read(got)
				if err != nil || !strings.HasPrefix(string(got[:n]), row.want) {
					t.Errorf("got %q, %v, want it to begin with %q", got[:n], err, row.want)
				}
				c.Close()
				if a := p.record().Attempts[0]; a.ReplyFirst.Sub(beginning)%time.Second != 0 || !a.ReplyLast.Happened() {
					t.Errorf("got %s", came(a))
				}
			})
		})
	}
}

func TestBytesAfterAWholeReply(t *testing.T) {
	inPlay(t, Config{Plan: with(faults.Idle, surplus{})}, func(p *play) {
		for _, target := range []string{"/v1/catalogue", "/v1/export"} {
			if got := p.send(context.Background(), http.MethodGet, target, "").saw(); got != "200" {
				t.Errorf("%s: got %s, want 200", target, got)
			}
		}
		r := p.record()
		if diff := cmp.Diff([]string{"fired surplus idle"}, decided(r.Decisions)); diff != "" {
			t.Errorf("decisions (-want +got):\n%s", diff)
		}
		if a := r.Attempts[0]; a.Status != 200 || !a.ReplyLast.Happened() || a.Cut.Happened() {
			t.Errorf("got %s, want the whole reply", came(a))
		}
	})
}

// A play in which the fake itself failed must not be judged: Close says so.
func TestFailuresOfTheFakeItself(t *testing.T) {
	for _, row := range []struct {
		name, saw, want string
		plan            faults.Plan
		store           stores.Store
	}{
		{name: "panic", plan: with(faults.AfterCommit, broken{}), saw: "end of file", want: "the fake itself failed: this fault is broken"},
		{name: "claim", store: failing{}, saw: "500", want: "attempt 1: disk full"},
		{name: "commit", store: granting{}, saw: "500", want: "attempt 1: disk full"},
		{name: "release", store: granting{}, plan: with(faults.BeforeCommit, &faults.Status{Code: 503}), saw: "503", want: "release of a claim: disk full"},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				network := wire.NewMemory()
				fake, err := Start(network, "127.0.0.1:0", Config{Clock: clock.Start(), Plan: row.plan})
				if err != nil {
					t.Fatal(err)
				}
				if row.store != nil {
					fake.store = row.store
				}
				transport := &http.Transport{DialContext: network.DialContext}
				p := &play{T: t, fake: fake, client: &http.Client{Transport: transport}}
				if got := p.pay("op-00000001", "k", "{}").saw(); got != row.saw {
					t.Errorf("client: got %s, want %s", got, row.saw)
				}
				transport.CloseIdleConnections()
				if err := fake.Close(); err == nil || !strings.HasPrefix(err.Error(), row.want) {
					t.Errorf("got  %v\nwant %s", err, row.want)
				}
			})
		})
	}
}

var errDisk = errors.New("disk full")

// failing is a store that fails at once; granting one that fails afterwards.
type (
	failing  struct{}
	granting struct{}
)

func (failing) Claim(context.Context, stores.Key, stores.Print) (stores.Claim, *faults.Reply, error) {
	return nil, nil, errDisk
}

func (g granting) Claim(context.Context, stores.Key, stores.Print) (stores.Claim, *faults.Reply, error) {
	return g, nil, nil
}

func (granting) Commit(context.Context, stores.Work) (faults.Reply, error) {
	return faults.Reply{}, errDisk
}
func (granting) Release(context.Context) error { return errDisk }
