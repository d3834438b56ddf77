package fakes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
)

// told is a status and the body, which is the same in every play.
func (a answer) told() string { return strings.TrimSpace(a.saw() + " " + a.body) }

// Each request in turn, what it is told and what it does.
func TestEndpoints(t *testing.T) {
	type request struct {
		method, target, body string
		header               []string
		told                 string
		does                 []journal.Effect
	}
	const op = "op-00000001"
	made := "/v1/payments/pay-8ba18dcc7c84411a"
	for _, row := range []struct {
		name     string
		requests []request
	}{
		{"payments", []request{
			{"POST", "/v1/payments?op=" + op, `{"amount":"12.50","currency":"EUR","reference":"order 7"}`, []string{KeyHeader, "k"},
				`201 {"operation":"op-00000001","payment":{"id":"pay-8ba18dcc7c84411a","reference":"order 7","amount":12.50,"currency":"EUR","status":"accepted"}}`,
				[]journal.Effect{{Operation: op, Attempt: 1, Key: "k", What: "payment 12.50 EUR", Resource: made}}},
			{"GET", made + "?op=" + op, "", nil,
				`200 {"operation":"op-00000001","payment":{"id":"pay-8ba18dcc7c84411a","reference":"order 7","amount":12.50,"currency":"EUR","status":"accepted"}}`, nil},
			{"GET", "/v1/payments?reference=order+7&op=" + op, "", nil,
				`200 {"operation":"op-00000001","payments":[{"id":"pay-8ba18dcc7c84411a","reference":"order 7","amount":12.50,"currency":"EUR","status":"accepted"}]}`, nil},
			{"GET", "/v1/payments?reference=other&op=" + op, "", nil, `200 {"operation":"op-00000001","payments":[]}`, nil},
			{"GET", "/v1/payments?op=" + op, "", nil,
				`400 {"title":"Bad Request","status":400,"detail":"reference is missing: want /v1/payments?reference=%E2%80%A6","operation":"op-00000001"}`, nil},
			{"GET", "/v1/payments/pay-0?op=" + op, "", nil,
				`404 {"title":"Not Found","status":404,"detail":"there is no such payment","operation":"op-00000001"}`, nil},
			{"HEAD", made + "?op=" + op, "", nil, `200`, nil},
		}},
		{"a payment without a body is found by its operation", []request{
			{"POST", "/v1/payments?op=" + op, "", []string{KeyHeader, "k"},
				`201 {"operation":"op-00000001","payment":{"id":"pay-8ba18dcc7c84411a","reference":"op-00000001","status":"accepted"}}`,
				[]journal.Effect{{Operation: op, Attempt: 1, Key: "k", What: "payment", Resource: made}}},
			{"GET", "/v1/payments?reference=" + op, "", nil,
				`200 {"operation":"op-00000001","payments":[{"id":"pay-8ba18dcc7c84411a","reference":"op-00000001","status":"accepted"}]}`, nil},
		}},
		{"legacy charges", []request{
			{"POST", "/v1/legacy/charges?op=" + op, "", []string{KeyHeader, "k"},
				`201 {"operation":"op-00000001","charge":"chg-8ba18dcc7c84411a"}`,
				[]journal.Effect{{Operation: op, Attempt: 1, What: "charge", Resource: "/v1/legacy/charges/chg-8ba18dcc7c84411a"}}},
		}},
		{"reads", []request{
			{"GET", "/v1/catalogue?op=" + op, "", nil, `200 {"operation":"op-00000001","items":["anvil","bellows","tongs"]}`, nil},
			{"HEAD", "/v1/catalogue?op=" + op, "", nil, `200`, nil},
			{"GET", "/v1/absent?op=" + op, "", nil, `404 {"title":"Not Found","status":404,"detail":"there is nothing here, on purpose","operation":"op-00000001"}`, nil},
			{"GET", "/any/where/" + op, "", nil, `200 {"operation":"op-00000001","method":"GET","path":"/any/where/op-00000001"}`, nil},
			{"OPTIONS", "/x/" + op, "", nil, `200 {"operation":"op-00000001","method":"OPTIONS","path":"/x/op-00000001"}`, nil},
			{"TRACE", "/x/" + op, "", nil, `200 {"operation":"op-00000001","method":"TRACE","path":"/x/op-00000001"}`, nil},
			{"GET", "/nokeys/x/" + op, "", nil, `200 {"operation":"op-00000001","method":"GET","path":"/nokeys/x/op-00000001"}`, nil},
		}},
		{"a put has an effect when it changes something", []request{
			{"PUT", "/v1/customers/7?op=" + op, `{"name":"a"}`, nil, `201 {"operation":"op-00000001","method":"PUT","path":"/v1/customers/7"}`,
				[]journal.Effect{{Operation: op, Attempt: 1, What: "PUT /v1/customers/7", Resource: "/v1/customers/7"}}},
			{"PUT", "/v1/customers/7?op=" + op, `{"name":"a"}`, nil, `200 {"operation":"op-00000001","method":"PUT","path":"/v1/customers/7"}`, nil},
			{"PUT", "/v1/customers/7?op=" + op, `{"name":"b"}`, nil, `200 {"operation":"op-00000001","method":"PUT","path":"/v1/customers/7"}`,
				[]journal.Effect{{Operation: op, Attempt: 3, What: "PUT /v1/customers/7", Resource: "/v1/customers/7"}}},
			{"PUT", "/v1/customers/7?op=" + op, `{"name":"b"}`, []string{"Content-Type", "text/plain"}, `200 {"operation":"op-00000001","method":"PUT","path":"/v1/customers/7"}`,
				[]journal.Effect{{Operation: op, Attempt: 4, What: "PUT /v1/customers/7", Resource: "/v1/customers/7"}}},
			{"PUT", "/v1/customers/8?op=" + op, "", nil, `201 {"operation":"op-00000001","method":"PUT","path":"/v1/customers/8"}`,
				[]journal.Effect{{Operation: op, Attempt: 5, What: "PUT /v1/customers/8", Resource: "/v1/customers/8"}}},
		}},
		{"a put that only creates", []request{
			{"PUT", "/x?op=" + op, "a", []string{"If-None-Match", "*"}, `201 {"operation":"op-00000001","method":"PUT","path":"/x"}`,
				[]journal.Effect{{Operation: op, Attempt: 1, What: "PUT /x", Resource: "/x"}}},
			{"PUT", "/x?op=" + op, "a", []string{"If-None-Match", "*"}, `412 {"title":"Precondition Failed","status":412,"detail":"this resource is there already","operation":"op-00000001"}`, nil},
		}},
		{"a delete has an effect once", []request{
			{"DELETE", "/v1/customers/7?op=" + op, "", nil, `200 {"operation":"op-00000001","method":"DELETE","path":"/v1/customers/7"}`,
				[]journal.Effect{{Operation: op, Attempt: 1, What: "DELETE /v1/customers/7", Resource: "/v1/customers/7"}}},
			{"DELETE", "/v1/customers/7?op=" + op, "", nil, `404 {"title":"Not Found","status":404,"detail":"this resource was deleted before","operation":"op-00000001"}`, nil},
			{"GET", "/v1/customers/7?op=" + op, "", nil, `404 {"title":"Not Found","status":404,"detail":"this resource was deleted","operation":"op-00000001"}`, nil},
			{"PUT", "/v1/customers/7?op=" + op, "a", nil, `201 {"operation":"op-00000001","method":"PUT","path":"/v1/customers/7"}`,
				[]journal.Effect{{Operation: op, Attempt: 4, What: "PUT /v1/customers/7", Resource: "/v1/customers/7"}}},
			{"DELETE", "/v1/customers/7?op=" + op, "", nil, `200 {"operation":"op-00000001","method":"DELETE","path":"/v1/customers/7"}`,
				[]journal.Effect{{Operation: op, Attempt: 5, What: "DELETE /v1/customers/7", Resource: "/v1/customers/7"}}},
		}},
		{"any other unsafe method has an effect each time", []request{
			{"BREW", "/pot/" + op, "", nil, `201 {"operation":"op-00000001","method":"BREW","path":"/pot/op-00000001","name":"made-8ba18dcc7c84411a"}`,
				[]journal.Effect{{Operation: op, Attempt: 1, What: "BREW /pot/op-00000001", Resource: "/pot/op-00000001/made-8ba18dcc7c84411a"}}},
			{"PATCH", "/nokeys/pot/" + op, "", nil, `201 {"operation":"op-00000001","method":"PATCH","path":"/nokeys/pot/op-00000001","name":"made-afdb8e3ebe5bdfb7"}`,
				[]journal.Effect{{Operation: op, Attempt: 2, What: "PATCH /nokeys/pot/op-00000001", Resource: "/nokeys/pot/op-00000001/made-afdb8e3ebe5bdfb7"}}},
			{"PATCH", "/v1/payments?op=" + op, "", nil, `201 {"operation":"op-00000001","method":"PATCH","path":"/v1/payments","name":"made-91a3de7cb5645c1a"}`,
				[]journal.Effect{{Operation: op, Attempt: 3, What: "PATCH /v1/payments", Resource: "/v1/payments/made-91a3de7cb5645c1a"}}},
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			inPlay(t, Config{}, func(p *play) {
				seen := 0
				for i, q := range row.requests {
					if got := p.send(context.Background(), q.method, q.target, q.body, q.header...).told(); got != q.told {
						t.Errorf("request %d:\ngot  %s\nwant %s", i+1, got, q.told)
					}
					effects := p.record().Effects[seen:]
					for n := range effects {
						effects[n].Number, effects[n].At = 0, 0
					}
					seen += len(effects)
					if diff := cmp.Diff(q.does, append([]journal.Effect(nil), effects...)); diff != "" {
						t.Errorf("request %d: effects (-want +got):\n%s", i+1, diff)
					}
				}
			})
		})
	}
}

func TestExport(t *testing.T) {
	for _, row := range []struct{ name, script string }{
		{"kept connection", `[ok]`},
		{"connection that ends when idle", `[close idle]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			inPlay(t, Config{Plan: always(t, row.script)}, func(p *play) {
				got := p.send(context.Background(), http.MethodGet, "/v1/export?op=op-00000001", "")
				if lines := strings.Count(got.body, "\n"); got.saw() != "200" || lines != exportLines+1 {
					t.Errorf("got %s and %d lines, want 200 and %d", got.saw(), lines, exportLines+1)
				}
				if a := p.record().Attempts[0]; came(a) != "200, first 0s, last 0s" {
					t.Errorf("got %s, want the whole reply at once", came(a))
				}
			})
		})
	}
}

// An attempt belongs to the operation whose token it carries anywhere, and meets that operation's faults.
func TestAttemptsMeetTheFaultsOfTheirOperation(t *testing.T) {
	const op = faults.OperationID("op-5f0c2a9d")
	plan := faults.Plan{Operations: map[faults.OperationID]faults.Script{op: always(t, `[[503 head, 502], ok]`).Routes[0].Script}}
	inHead, inBody := "503", "502"
	for _, row := range []struct {
		name, target, body string
		header             []string
		want               string
	}{
		{"path", "/orders/op-5f0c2a9d", "", nil, inHead},
		{"query", "/orders?x=op-5f0c2a9d", "", nil, inHead},
		{"header", "/orders", "{}", []string{"X-Op", "op-5f0c2a9d"}, inHead},
		{"body", "/orders", `{"op":"op-5f0c2a9d"}`, nil, inBody},
		{"body beyond what is kept", "/orders", strings.Repeat(" ", MaxKept) + "op-5f0c2a9d", nil, "201"},
		{"head before body", "/orders/op-00000000", `{"op":"op-5f0c2a9d"}`, nil, "201"},
		{"key only", "/orders", "{}", []string{KeyHeader, "op-5f0c2a9d"}, "201"},
		{"another one", "/orders/op-00000000", "", nil, "201"},
		{"none", "/orders", "", nil, "201"},
	} {
		t.Run(row.name, func(t *testing.T) {
			inPlay(t, Config{Plan: plan}, func(p *play) {
				if got := p.send(context.Background(), http.MethodPost, row.target, row.body, row.header...).saw(); got != row.want {
					t.Errorf("first attempt: got %s, want %s", got, row.want)
				}
				if got := p.send(context.Background(), http.MethodPost, row.target, row.body, row.header...).saw(); got != "201" && got != "201 replayed" {
					t.Errorf("second attempt: got %s, want 201", got)
				}
				r := p.record()
				if a, b := r.Attempts[0], r.Attempts[1]; a.Operation != b.Operation || a.Try != 1 || b.Try != 2 || (a.Operation == op) != (row.want != "201") {
					t.Errorf("got %q try %d and %q try %d", a.Operation, a.Try, b.Operation, b.Try)
				}
				want := map[string][]string{
					inHead: {"fired status 503 head", "skipped status 502 before-commit: status 503 head came first"},
					inBody: {"skipped status 503 head: the head carries no operation token, and the body was not read yet", "fired status 502 before-commit"},
					"201":  {},
				}[row.want]
				if diff := cmp.Diff(want, decided(r.Decisions)); diff != "" {
					t.Errorf("decisions (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// Requests without a token count together, so that a plan by routes works for clients that carry none.
func TestAttemptsWithoutToken(t *testing.T) {
	inPlay(t, Config{Plan: always(t, `[503 head, 502]`)}, func(p *play) {
		for i, want := range []string{"503", "502", "200"} {
			if got := p.send(context.Background(), http.MethodGet, "/x", "").saw(); got != want {
				t.Errorf("request %d: got %s, want %s", i+1, got, want)
			}
		}
	})
}

func TestWhatAnAttemptRecords(t *testing.T) {
	inPlay(t, Config{}, func(p *play) {
		paid := p.send(context.Background(), http.MethodPost, "/v1/payments?op=op-00000001", "hello", KeyHeader, "k", "X", "y")
		read := p.send(context.Background(), http.MethodGet, "/a%2Fb?q=%20", "")
		r := p.record()
		common := http.Header{"Accept-Encoding": {"gzip"}, "User-Agent": {"Go-http-client/1.1"}}
		posted := common.Clone()
		posted["Content-Length"], posted["Idempotency-Key"], posted["X"] = []string{"5"}, []string{"k"}, []string{"y"}
		want := []journal.Attempt{{
			Number: 1, Operation: "op-00000001", Try: 1, Connection: 1, Use: 1,
			Method: "POST", Target: "/v1/payments?op=op-00000001", Header: posted, Key: "k",
			DeclaredLength: 5, BodyBytes: 5, BodySHA256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
			Fingerprint: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
			FirstByte:   beginning, HeadRead: beginning, BodyRead: beginning, Committed: beginning, ReplyFirst: beginning, ReplyLast: beginning,
			ReplySHA256: digest(paid.body), Status: 201, Effect: 1,
		}, {
			Number: 2, Try: 1, Connection: 1, Use: 2,
			Method: "GET", Target: "/a%2Fb?q=%20", Header: common,
			DeclaredLength: -1,
			FirstByte:      beginning, HeadRead: beginning, BodyRead: beginning, ReplyFirst: beginning, ReplyLast: beginning,
			ReplySHA256: digest(read.body), Status: 200,
		}}
		if diff := cmp.Diff(want, r.Attempts); diff != "" {
			t.Errorf("attempts (-want +got):\n%s", diff)
		}
		if len(r.Connections) != 1 || r.Connections[0].Requests != 2 {
			t.Errorf("got connections %+v, want one with two requests", r.Connections)
		}
	})
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
