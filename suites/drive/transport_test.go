package drive

import (
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/faults/wire"
)

// again repeats a round trip as long as it fails or the reply is no success: a middleware that knows no caution.
type again struct {
	http.RoundTripper
	times int
}

func (a again) RoundTrip(req *http.Request) (*http.Response, error) {
	for n := 1; ; n++ {
		reply, err := a.RoundTripper.RoundTrip(req)
		if n == a.times || err == nil && reply.StatusCode < 300 {
			return reply, err
		}
		if err == nil {
			reply.Body.Close()
		}
		if req.GetBody != nil {
			req.Body, _ = req.GetBody()
		}
	}
}

func TestTransportOutcomes(t *testing.T) {
	const truncated = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"
	tests := []struct {
		name    string
		method  string
		steps   []string
		times   int // round trips of a retrying middleware; 0 = none lies between
		outcome Outcome
		status  int
		elapsed time.Duration
		reason  string
	}{
		{"success", "POST", []string{reply("201 Created")}, 0, OK, 201, 0, "a whole 2xx"},
		{"success without a body", "POST", []string{"HTTP/1.1 204 No Content\r\n\r\n"}, 0, OK, 204, 0, "whole as well"},
		{"truncated read", "GET", []string{truncated}, 0, Failed, 200, 0, "a safe method is never unknown"},
		{"truncated write", "POST", []string{truncated}, 0, Unknown, 200, 0, "not a whole 2xx"},
		{"not found", "POST", []string{reply("404 Not Found")}, 0, Failed, 404, 0, "refused"},
		{"too many", "POST", []string{reply("429 Too Many Requests")}, 0, Failed, 429, 0, "refused"},
		{"unavailable", "POST", []string{reply("503 Service Unavailable")}, 0, Failed, 503, 0, "refused"},
		{"truncated refusal", "POST", []string{"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 100\r\n\r\nshort"}, 0, Failed, 503, 0, "the head said it"},
		{"server error after a write", "POST", []string{reply("500 Internal Server Error")}, 0, Unknown, 500, 0, "it may have been applied"},
		{"gateway error after a write", "PUT", []string{reply("502 Bad Gateway")}, 0, Unknown, 502, 0, "it may have been applied"},
		{"server error after a read", "GET", []string{reply("500 Internal Server Error")}, 0, Failed, 500, 0, "nothing to be applied"},
		{"redirect of a write", "POST", []string{reply("302 Found")}, 0, Unknown, 302, 0, "no answer to whether it was done"},
		{"redirect of a read", "GET", []string{reply("302 Found")}, 0, Failed, 302, 0, "a round tripper does not follow"},
		{"lost write", "POST", []string{"lost"}, 0, Unknown, 0, 0, "it was sent"},
		{"lost delete", "DELETE", []string{"lost"}, 0, Unknown, 0, 0, "idempotent is not safe"},
		{"lost read", "GET", []string{"lost"}, 0, Failed, 0, 0, "nothing to be applied"},
		{"held write", "POST", []string{"hold"}, 0, Unknown, 0, 2 * time.Second, "the deadline ends it, exactly"},
		{"dripping read", "GET", []string{"drip"}, 0, Failed, 200, 2 * time.Second, "the deadline counts for the body too"},
		{"refused write", "POST", nil, 0, Failed, 0, 0, "never sent"},
		{"refused write, again", "POST", nil, 3, Failed, 0, 0, "never sent, three times"},

		{"lost, then found", "POST", []string{"lost", reply("200 OK")}, 2, OK, 200, 0, "what became of the first attempt, the fake knows"},
		{"unavailable twice", "POST", []string{reply("503 Service Unavailable")}, 2, Failed, 503, 0, "refused each time"},
		{"lost, then unavailable", "POST", []string{"lost", reply("503 Service Unavailable")}, 2, Unknown, 503, 0, "the first attempt may have been applied"},
		{"lost, then conflict", "POST", []string{"lost", reply("409 Conflict")}, 2, Unknown, 409, 0, "with itself, perhaps"},
		{"lost, then refused", "POST", []string{"shut"}, 2, Unknown, 0, 0, "a dial error proves nothing about the first attempt"},
		{"lost, then unavailable read", "GET", []string{"lost", reply("503 Service Unavailable")}, 2, Failed, 503, 0, "safe all the same"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := wire.NewMemory()
				s := serve(t, n, tt.steps...)
				if tt.steps == nil {
					s.port.Refuse()
				}
				carrier := Transport(Hello{}, func(base *http.Transport) http.RoundTripper { return again{base, max(1, tt.times)} })
				client, done, err := carrier.New(t.Context(), n.DialContext)
				if err != nil {
					t.Fatal(err)
				}
				got := client.Do(t.Context(), Call{Method: tt.method, URL: "http://" + s.port.Addr().String() + "/", Deadline: 2 * time.Second})
				if got.Outcome != tt.outcome || got.Status != tt.status || got.Trouble != "" {
					t.Errorf("got %s, status %d (%s) %s; want %s, %d (%s)", got.Outcome, got.Status, got.Err, got.Trouble, tt.outcome, tt.status, tt.reason)
				}
				if (got.Err == "") != (tt.outcome == OK) {
					t.Errorf("got error %q of outcome %s; want words for anything but ok", got.Err, got.Outcome)
				}
				if elapsed := got.Ended.Sub(got.Began); elapsed != tt.elapsed {
					t.Errorf("got an answer after %v; want it after %v", elapsed, tt.elapsed)
				}
				if err := done(); err != nil {
					t.Error(err)
				}
				s.close()
			})
		})
	}
}

func TestTransportProvesThatNothingWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := wire.NewMemory()
		s := serve(t, n, "lost")
		s.port.Blackhole()
		client, done, err := Transport(Hello{}, func(base *http.Transport) http.RoundTripper { return base }).New(t.Context(), n.DialContext)
		if err != nil {
			t.Fatal(err)
		}
		got := client.Do(t.Context(), Call{Method: "POST", URL: "http://" + s.port.Addr().String() + "/", Deadline: 2 * time.Second})
		if got.Outcome != Failed || got.Ended.Sub(got.Began) != 2*time.Second {
			t.Errorf("got %s after %v (%s); want failed at the deadline: no connection, no request", got.Outcome, got.Ended.Sub(got.Began), got.Err)
		}
		if err := done(); err != nil {
			t.Error(err)
		}
		s.close()
	})
}

func TestTransportSendsTheWholeCall(t *testing.T) {
	tests := []struct {
		name     string
		features []Feature
		method   string
		given    bool
		header   string
		want     string // "" = no key, "own" = one of the client's own
	}{
		{"a key that is given", nil, "POST", true, "Idempotency-Key", "k-1"},
		{"a key that is given, by another name", []Feature{IdempotencyKey}, "POST", true, "X-Key", "k-1"},
		{"an offer to a client without keys", nil, "POST", false, "Idempotency-Key", ""},
		{"an offer to a client with its own", []Feature{IdempotencyKey}, "POST", false, "Idempotency-Key", "own"},
		{"an endpoint that knows no keys", []Feature{IdempotencyKey}, "POST", false, "", ""},
		{"a read", []Feature{IdempotencyKey}, "GET", false, "Idempotency-Key", ""},
		{"an idempotent write", []Feature{IdempotencyKey}, "PUT", false, "Idempotency-Key", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := wire.NewMemory()
				s := serve(t, n, "lost", reply("200 OK"))
				carrier := Transport(Hello{Features: tt.features}, func(base *http.Transport) http.RoundTripper { return again{base, 2} })
				client, done, err := carrier.New(t.Context(), n.DialContext)
				if err != nil {
					t.Fatal(err)
				}
				call := fullCall()
				call.Method, call.KeyGiven, call.KeyHeader = tt.method, tt.given, tt.header
				call.URL = "http://" + s.port.Addr().String() + "/v1/x?operation=op-1"
				got := client.Do(t.Context(), call)
				if got.Outcome != OK || string(got.Body) != "hello" || got.BodyBytes != 5 || got.BodySHA256 != sum("hello") {
					t.Errorf("got %+v; want ok with the body", got)
				}
				if err := done(); err != nil {
					t.Error(err)
				}
				s.close()
				keys := map[string]bool{}
				for _, req := range s.seen {
					body, _ := io.ReadAll(req.Body)
					if req.Method != tt.method || req.URL.String() != "/v1/x?operation=op-1" || string(body) != string(call.Body) ||
						req.Header.Get("Authorization") != "Bearer t1" || req.Header.Get("Content-Type") != "application/json" {
						t.Errorf("got %s %s %v %q; want the call as it is", req.Method, req.URL, req.Header, body)
					}
					name := tt.header
					if name == "" {
						name = "Idempotency-Key"
					}
					keys[req.Header.Get(name)] = true
				}
				own := len(keys) == 1 && !keys[""] && !keys["k-1"]
				if tt.want == "own" && !own || tt.want != "own" && !(len(keys) == 1 && keys[tt.want]) {
					t.Errorf("got keys %v in %d attempts; want %q in all", keys, len(s.seen), tt.want)
				}
			})
		})
	}
}

func TestTransportKeepsOneKeyPerCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := wire.NewMemory()
		s := serve(t, n, reply("200 OK"))
		client, done, err := Transport(Hello{Features: []Feature{IdempotencyKey}}, func(base *http.Transport) http.RoundTripper { return base }).New(t.Context(), n.DialContext)
		if err != nil {
			t.Fatal(err)
		}
		call := Call{Method: "POST", URL: "http://" + s.port.Addr().String() + "/", KeyHeader: "Idempotency-Key"}
		client.Do(t.Context(), call)
		client.Do(t.Context(), call)
		if err := done(); err != nil {
			t.Error(err)
		}
		s.close()
		if a, b := s.seen[0].Header.Get("Idempotency-Key"), s.seen[1].Header.Get("Idempotency-Key"); a == b || a == "" || b == "" {
			t.Errorf("got keys %q and %q; want two that differ", a, b)
		}
	})
}

// nothing is a round tripper that breaks its contract.
type nothing struct{}

func (nothing) RoundTrip(*http.Request) (*http.Response, error) { return nil, nil }

// offline fails without asking anybody.
type offline struct{ err error }

func (o offline) RoundTrip(*http.Request) (*http.Response, error) { return nil, o.err }

func TestTransportOfStrangeRoundTrippers(t *testing.T) {
	dial := &net.OpError{Op: "dial", Err: errors.New("no route")}
	tests := []struct {
		name    string
		rt      http.RoundTripper
		outcome Outcome
		trouble string
		reason  string
	}{
		{"neither", nothing{}, Error, "neither a reply nor an error", "http.RoundTripper forbids it"},
		{"an error of its own", offline{errors.New("circuit open")}, Unknown, "", "no trail, no proof"},
		{"a dial error of its own", offline{dial}, Failed, "", "the error itself says that nothing was sent"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client, done, err := Transport(Hello{}, func(*http.Transport) http.RoundTripper { return tt.rt }).New(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := client.Do(t.Context(), Call{Method: "POST", URL: "http://127.0.0.1:1/"})
			if got.Outcome != tt.outcome {
				t.Errorf("got %s; want %s (%s)", got.Outcome, tt.outcome, tt.reason)
			}
			wantPart(t, "trouble", got.Trouble, tt.trouble)
			if err := done(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestReadKeepsNoLongBody(t *testing.T) {
	for _, size := range []int64{keptBody, keptBody + 1} {
		var r Result
		if err := r.read(io.LimitReader(letters{}, size)); err != nil || r.BodyBytes != size || r.BodySHA256 == "" || (r.Body != nil) != (size <= keptBody) {
			t.Errorf("%d bytes: got %d counted, %d kept, %v; want all counted, and kept up to %d", size, r.BodyBytes, len(r.Body), err, keptBody)
		}
	}
}
