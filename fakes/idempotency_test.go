package fakes

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ask is one request of a client, and what it is to be told.
type ask struct {
	method string // default POST
	path   string // default /v1/payments
	key    string // "-" = none
	caller string
	body   string // default a payment
	after  time.Duration
	revoke string // a caller who loses access before
	want   string
}

func (p *play) ask(q ask) answer {
	p.Helper()
	time.Sleep(q.after)
	if q.revoke != "" {
		p.fake.Revoke(q.revoke)
	}
	method, path, body := q.method, q.path, q.body
	if method == "" {
		method = http.MethodPost
	}
	if path == "" {
		path = "/v1/payments"
	}
	if body == "" {
		body = `{"amount":1200,"currency":"EUR"}`
	}
	header := []string{}
	if q.key != "-" {
		header = append(header, KeyHeader, q.key)
	}
	if q.caller != "" {
		header = append(header, "Authorization", "Bearer "+q.caller)
	}
	return p.send(context.Background(), method, path, body, header...)
}

func TestKeys(t *testing.T) {
	const retention = time.Hour
	for _, row := range []struct {
		name    string
		asks    []ask
		effects int
	}{
		{"the same again is replayed", []ask{{key: "k", want: "201"}, {key: "k", want: "201 replayed"}, {key: "k", want: "201 replayed"}}, 1},
		{"the same meaning in other bytes", []ask{{key: "k", want: "201"}, {key: "k", body: `{ "currency":"EUR", "amount":1.2e3 }`, want: "201 replayed"}}, 1},
		{"another payload", []ask{{key: "k", want: "201"}, {key: "k", body: `{"amount":1}`, want: "422"}, {key: "k", want: "201 replayed"}}, 1},
		{"another key", []ask{{key: "k", want: "201"}, {key: "l", want: "201"}}, 2},
		{"another caller has keys of its own", []ask{{key: "k", caller: "alice", want: "201"}, {key: "k", caller: "bob", want: "201"}, {key: "k", want: "201"}}, 3},
		{"another path too", []ask{{key: "k", path: "/a", want: "201"}, {key: "k", path: "/b", want: "201"}}, 2},
		{"another method too", []ask{{key: "k", path: "/a", want: "201"}, {key: "k", path: "/a", method: "PATCH", want: "201"}}, 2},
		{"the query is no part of the scope", []ask{{key: "k", path: "/a?x=1", want: "201"}, {key: "k", path: "/a?x=2", want: "201 replayed"}}, 1},
		{"missing", []ask{{key: "-", want: "400"}}, 0},
		{"empty", []ask{{key: "", want: "400"}}, 0},
		{"as long as may be", []ask{{key: strings.Repeat("k", MaxKey), want: "201"}, {key: strings.Repeat("k", MaxKey), want: "201 replayed"}}, 1},
		{"too long", []ask{{key: strings.Repeat("k", MaxKey+1), want: "400"}}, 0},
		{"kept until its time is over", []ask{{key: "k", want: "201"}, {key: "k", after: retention - time.Nanosecond, want: "201 replayed"}}, 1},
		{"forgotten when its time is over", []ask{{key: "k", want: "201"}, {key: "k", after: retention, want: "201"}}, 2},
		{"a replay needs access", []ask{{key: "k", caller: "alice", want: "201"}, {key: "k", caller: "alice", revoke: "alice", want: "403"}}, 1},
		{"so does a first request", []ask{{key: "k", caller: "alice", revoke: "alice", want: "403"}, {key: "k", caller: "bob", want: "201"}}, 1},
		{"those without a token are one caller", []ask{{key: "k", want: "201"}, {key: "k", caller: "alice", revoke: "alice", want: "403"}, {key: "k", want: "201 replayed"}}, 1},
		{"anywhere else a key may be there", []ask{{path: "/orders", key: "k", want: "201"}, {path: "/orders", key: "k", want: "201 replayed"}}, 1},
		{"or not", []ask{{path: "/orders", key: "-", want: "201"}, {path: "/orders", key: "-", want: "201"}}, 2},
		{"patches have keys as well", []ask{{path: "/orders", method: "PATCH", key: "k", want: "201"}, {path: "/orders", method: "PATCH", key: "k", want: "201 replayed"}}, 1},
		{"the old endpoint knows none", []ask{{path: "/v1/legacy/charges", key: "k", want: "201"}, {path: "/v1/legacy/charges", key: "k", want: "201"}}, 2},
		{"nor does what is below nokeys", []ask{{path: "/nokeys/orders", key: "k", want: "201"}, {path: "/nokeys/orders", key: "k", want: "201"}}, 2},
		{"and there a key too long is nobody's business", []ask{{path: "/nokeys/orders", key: strings.Repeat("k", 1000), want: "201"}}, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			inPlay(t, Config{Retention: retention}, func(p *play) {
				for i, q := range row.asks {
					if got := p.ask(q).saw(); got != q.want {
						t.Errorf("request %d: got %s, want %s", i+1, got, q.want)
					}
				}
				if got := len(p.record().Effects); got != row.effects {
					t.Errorf("got %d effects, want %d", got, row.effects)
				}
			})
		})
	}
}

func TestKeyThatStandsTwice(t *testing.T) {
	inPlay(t, Config{}, func(p *play) {
		r, err := http.NewRequest(http.MethodPost, p.fake.URL()+"/v1/payments", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header[KeyHeader] = []string{"k", "l"}
		reply, err := p.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if got, want := reply.StatusCode, http.StatusBadRequest; got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	})
}

// A replay is the saved reply to the letter, whatever happened to the one that was sent first.
func TestReplayIsTheSavedReply(t *testing.T) {
	for _, script := range []string{`[ok, ok]`, `[502 after-commit, ok]`, `[reset after-commit, ok]`, `[truncate, ok]`} {
		t.Run(script, func(t *testing.T) {
			inPlay(t, Config{Plan: always(t, script)}, func(p *play) {
				p.pay("op-00000001", "k", `{"amount":1}`)
				again, last := p.pay("op-00000001", "k", `{"amount":1}`), p.pay("op-00000001", "k", `{"amount":1}`)
				if again.saw() != "201 replayed" || last.saw() != "201 replayed" || again.body != last.body {
					t.Errorf("got %s %q and %s %q, want the same reply replayed twice", again.saw(), again.body, last.saw(), last.body)
				}
				look := p.send(context.Background(), http.MethodGet, again.header.Get("Location")+"?op=op-00000001", "")
				if look.saw() != "200" || !strings.Contains(again.body, `"operation":"op-00000001"`) {
					t.Errorf("got %s for %q, and the reply %q, want what was made, and the operation echoed", look.saw(), again.header.Get("Location"), again.body)
				}
				if r := p.record(); len(r.Effects) != 1 || !r.Attempts[1].Replayed || r.Attempts[1].Effect != 0 {
					t.Errorf("got %d effects and %+v, want 1 and a replay", len(r.Effects), r.Attempts[1])
				}
			})
		})
	}
}

// While an attempt is held up before its commit, the next one with its key is told so; what comes of it then depends on how the first ends.
func TestWhileAnAttemptRuns(t *testing.T) {
	for _, row := range []struct {
		name, script    string
		during, after   string // what a second attempt is told, a second later and a minute later
		effects, byFrom int    // and which attempt had the effect
	}{
		{"delayed before commit: it commits although its client has gone", `[delay 10s, ok]`, "409", "201 replayed", 1, 1},
		{"held before commit: it is given back when its client has gone", `[hold, ok]`, "409", "201", 1, 3},
		{"delayed after commit: the result is there", `[delay 10s after-commit, ok]`, "201 replayed", "201 replayed", 1, 1},
		{"held after commit: the result is there", `[hold after-commit, ok]`, "201 replayed", "201 replayed", 1, 1},
		{"delayed at its head: nobody has seen its key yet", `[delay 10s head, ok]`, "201", "201 replayed", 1, 2},
		{"severed before commit: it runs on", `[sever 10s, ok]`, "409", "201 replayed", 1, 1},
		{"another delay before a conflict is told", `[delay 30s, delay 1s, ok]`, "409", "201 replayed", 1, 1},
		{"a planned status goes before the conflict", `[delay 10s, 503, ok]`, "503", "201 replayed", 1, 1},
		{"and before a replay", `[hold after-commit, 503, ok]`, "503", "201 replayed", 1, 1},
		{"a lie after the commit of a replay", `[hold after-commit, 502 after-commit, ok]`, "502", "201 replayed", 1, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			inPlay(t, Config{Plan: always(t, row.script)}, func(p *play) {
				pay := []string{http.MethodPost, "/v1/payments?op=op-00000001", `{"amount":1}`}
				go p.within(5*time.Second, pay[0], pay[1], pay[2], KeyHeader, "k")
				time.Sleep(time.Second)
				if got := p.pay("op-00000001", "k", pay[2]).saw(); got != row.during {
					t.Errorf("meanwhile: got %s, want %s", got, row.during)
				}
				time.Sleep(time.Minute)
				if got := p.pay("op-00000001", "k", pay[2]).saw(); got != row.after {
					t.Errorf("afterwards: got %s, want %s", got, row.after)
				}
				r := p.record()
				if len(r.Effects) != row.effects || r.Effects[0].Attempt != row.byFrom {
					t.Errorf("got effects %+v, want %d, by attempt %d", r.Effects, row.effects, row.byFrom)
				}
			})
		})
	}
}

// The claim is free before the client can know that its attempt is over, so that a client which comes again at once meets no conflict
// with itself.
func TestNoConflictWithOneself(t *testing.T) {
	for _, script := range []string{`{steps: [reset before-commit], repeat: true}`, `{steps: [close before-commit], repeat: true}`, `{steps: [503], repeat: true}`} {
		t.Run(script, func(t *testing.T) {
			inPlay(t, Config{Plan: always(t, script)}, func(p *play) {
				for range 200 {
					if got := p.pay("op-00000001", "k", "{}").saw(); got == "409" || got == "201" {
						t.Fatalf("got %s, want the planned fault", got)
					}
				}
				for _, a := range p.record().Attempts {
					if a.Status == http.StatusConflict {
						t.Errorf("attempt %d met a conflict", a.Number)
					}
				}
			})
		})
	}
}

// Refusals say why in the words of RFC 9457, and have nothing that could come after a commit.
func TestRefusals(t *testing.T) {
	inPlay(t, Config{Plan: always(t, `[ok, reset after-commit]`)}, func(p *play) {
		p.pay("op-00000001", "k", `{"amount":1}`)
		got := p.pay("op-00000001", "k", `{"amount":2}`)
		want := `{"title":"Unprocessable Entity","status":422,"detail":"this Idempotency-Key was used with another payload: a new operation wants a new key","operation":"op-00000001"}` + "\n"
		if got.saw() != "422" || got.body != want || got.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("got  %s %s %s\nwant 422 application/problem+json %s", got.saw(), got.header.Get("Content-Type"), got.body, want)
		}
		decisions := []string{"skipped reset after-commit: nothing was committed: the request was refused with 422"}
		if diff := cmp.Diff(decisions, decided(p.record().Decisions)); diff != "" {
			t.Errorf("decisions (-want +got):\n%s", diff)
		}
	})
}

func TestManyAtOnceWithOneKey(t *testing.T) {
	const clients = 1000
	inPlay(t, Config{Plan: always(t, `[delay 1s, ok]`)}, func(p *play) {
		saw := make(chan string, clients)
		for range clients {
			go func() { saw <- p.pay("op-00000001", "k", "{}").saw() }()
		}
		synctest.Wait()
		time.Sleep(2 * time.Second)
		counts := map[string]int{}
		for range clients {
			counts[<-saw]++
		}
		if diff := cmp.Diff(map[string]int{"201": 1, "409": clients - 1}, counts); diff != "" {
			t.Errorf("replies (-want +got):\n%s", diff)
		}
		if got := fmt.Sprint(len(p.record().Effects)); got != "1" {
			t.Errorf("got %s effects, want 1", got)
		}
	})
}

// An error that was saved with a key is what every later attempt with it is told, and the effect is there all the same.
func TestSavedErrorIsReplayed(t *testing.T) {
	for _, script := range []string{`[saved 500]`, `[saved 500 + reset]`, `{steps: [saved 500], repeat: true}`} {
		t.Run(script, func(t *testing.T) {
			plan := always(t, script)
			plan.Routes[0].Route = "POST /*"
			inPlay(t, Config{Plan: plan}, func(p *play) {
				p.pay("op-00000001", "k", "{}")
				for range 2 {
					if got := p.pay("op-00000001", "k", "{}").saw(); got != "500 replayed" {
						t.Errorf("the same key: got %s, want 500 replayed", got)
					}
				}
				if r := p.record(); len(r.Effects) != 1 || r.Attempts[0].Effect != 1 {
					t.Errorf("got %d effects, want the one of the first attempt", len(r.Effects))
				}
				look := p.send(context.Background(), http.MethodGet, "/v1/payments?reference=op-00000001", "")
				if !strings.Contains(look.body, `"status":"accepted"`) {
					t.Errorf("got %s %q, want the payment: the look-up is the way out", look.saw(), look.body)
				}
			})
		})
	}
}
