package fakes

import (
	"net/http"
	"testing"
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
