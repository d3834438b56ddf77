package fakes

import (
	"net/http"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
)

func TestCapacity(t *testing.T) {
	type burst struct {
		after  time.Duration
		origin int
		sent   int
		served int
		why    string
	}
	for _, tt := range []struct {
		name     string
		capacity int
		bursts   []burst
	}{
		{"none set", 0, []burst{{0, 0, 50, 50, "as many as come"}}},
		{"within any second", 3, []burst{
			{0, 0, 5, 3, "two too many"},
			{999 * time.Millisecond, 0, 2, 0, "still the same second"},
			{time.Millisecond, 0, 5, 3, "those turned away cost nothing"},
		}},
		{"each origin its own", 3, []burst{{0, 0, 5, 3, "two too many"}, {0, 1, 2, 2, "nobody has been here"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inPlay(t, Config{Capacity: tt.capacity, Origins: 2}, func(p *play) {
				turnedAway := 0
				for _, b := range tt.bursts {
					time.Sleep(b.after) // virtual
					served := 0
					for range b.sent {
						reply, err := p.client.Post(p.fake.Origin(b.origin)+"/v1/legacy/charges?operation=op-00000001", "application/json", http.NoBody)
						if err != nil {
							t.Fatal(err)
						}
						reply.Body.Close()
						if reply.StatusCode != http.StatusServiceUnavailable {
							served++
						}
					}
					if served != b.served {
						t.Errorf("got %d of %d served, want %d: %s", served, b.sent, b.served, b.why)
					}
					turnedAway += b.sent - served
				}
				r := p.fake.Record()
				if got := len(r.Decisions); got != turnedAway {
					t.Errorf("got %d decisions, want one for each of %d turned away", got, turnedAway)
				}
				for _, d := range r.Decisions {
					if d.Fault != "status 503 before-commit" || d.Result != journal.Fired || d.Reason == "" || d.Operation != "op-00000001" {
						t.Errorf("got %+v, want a 503 that says why", d)
					}
				}
				for _, e := range r.Effects {
					if status := r.Attempts[e.Attempt-1].Status; status == http.StatusServiceUnavailable {
						t.Errorf("effect %d: got one of an attempt that was turned away", e.Number)
					}
				}
			})
		})
	}
}
