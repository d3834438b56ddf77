package fakes

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// Several origins are one fake: one journal, one ledger, one count of connections.
func TestOrigins(t *testing.T) {
	inPlay(t, Config{Origins: 3}, func(p *play) {
		for n := range 3 {
			reply, err := p.client.Post(p.fake.Origin(n)+"/v1/legacy/charges?operation=op-0000000"+string(rune('1'+n)), "application/json", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			reply.Body.Close()
		}
		r := p.fake.Record()
		if len(r.Effects) != 3 || len(r.Connections) != 3 {
			t.Errorf("got %d effects over %d connections, want 3 over 3", len(r.Effects), len(r.Connections))
		}
		for i, a := range r.Attempts {
			if a.Origin != i || a.Connection != i+1 || r.Connections[i].Origin != i {
				t.Errorf("attempt %d: got origin %d, connection %d of origin %d, want %d, %d, %d", i+1, a.Origin, a.Connection, r.Connections[i].Origin, i, i+1, i)
			}
		}
	})
}

// A redirect keeps the request's query, so that what follows it belongs to the same operation, whatever the origin.
func TestRedirects(t *testing.T) {
	for _, row := range []struct {
		script  string
		origin  int
		targets []string
	}{
		{`[redirect 307 to=/v1/other, ok]`, 0, []string{"/orders?op=op-00000001", "/v1/other?op=op-00000001"}},
		{`[redirect 308 to=/v1/other origin=second, ok]`, 1, []string{"/orders?op=op-00000001", "/v1/other?op=op-00000001"}},
	} {
		t.Run(row.script, func(t *testing.T) {
			inPlay(t, Config{Plan: always(t, row.script), Origins: 2}, func(p *play) {
				if got := p.send(context.Background(), http.MethodPost, "/orders?op=op-00000001", "{}").saw(); got != "201" {
					t.Errorf("got %s, want 201 from there", got)
				}
				r := p.record()
				var targets []string
				for _, a := range r.Attempts {
					targets = append(targets, a.Target)
				}
				if !slices.Equal(targets, row.targets) || len(r.Effects) != 1 {
					t.Errorf("got %q and %d effects, want %q and 1", targets, len(r.Effects), row.targets)
				}
				if last := r.Attempts[len(r.Attempts)-1]; last.Origin != row.origin || last.Try != 2 {
					t.Errorf("got origin %d, try %d, want origin %d, try 2", last.Origin, last.Try, row.origin)
				}
			})
		})
	}
}

func TestRedirectToAnOriginThatIsNotThere(t *testing.T) {
	_, err := Start(wire.NewMemory(), "127.0.0.1:0", Config{Clock: clock.Start(), Plan: always(t, `[redirect 307 to=/a origin=second]`)})
	if err == nil || !strings.Contains(err.Error(), "want a fake that listens on two") {
		t.Errorf("got %v, want the plan refused", err)
	}
}

func TestHostsBeside(t *testing.T) {
	for _, row := range []struct {
		host   string
		number int
		want   string
	}{
		{"127.0.0.1", 1, "127.0.0.2"},
		{"127.0.0.1", 255, "127.0.1.0"},
		{"127.0.0.1", 10_000, "127.0.39.17"},
		{"0.0.0.0", 1, "0.0.0.0"},
		{"::1", 1, "::1"},
		{"localhost", 1, "localhost"},
	} {
		if got := hostBeside(row.host, row.number); got != row.want {
			t.Errorf("%s + %d: got %s, want %s", row.host, row.number, got, row.want)
		}
	}
}
