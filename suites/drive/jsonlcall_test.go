package drive

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCallLine(t *testing.T) {
	full := fullCall()
	tests := []struct {
		name   string
		call   Call
		policy bool
		want   string
		reason string
	}{
		{"everything", full, true, `{"type":"call","id":"c1","operation":"op-5f0c2a9d","method":"POST","url":"http://127.0.0.1:41523/v1/payments?operation=op-5f0c2a9d",` +
			`"headers":{"Authorization":"Bearer t1","Content-Type":"application/json","X-Two":"b: c"},"body":"{\"amount\":1200,\"note\":\"{url} \\\"x\\\"\"}",` +
			`"key":"k-1","key_header":"Idempotency-Key","deadline_ms":2500,"policy":{"max_attempts":8,"base_ms":1,"cap_ms":2000}}`, "the contract's fields, in its order"},
		{"nothing", Call{}, true, `{"type":"call","id":"c1","operation":"","method":"","url":"","headers":{},"body":"","key":"","key_header":"","deadline_ms":0}`, "no field is left out, but for policy"},
		{"an offered key", Call{Key: "k-1"}, true, `{"type":"call","id":"c1","operation":"","method":"","url":"","headers":{},"body":"","key":"","key_header":"","deadline_ms":0}`, "a program makes its own"},
		{"no feature policy", Call{Policy: full.Policy}, false, `{"type":"call","id":"c1","operation":"","method":"","url":"","headers":{},"body":"","key":"","key_header":"","deadline_ms":0}`, "nobody would read it"},
		{"a type twice", Call{Type: "a/b", Headers: map[string]string{"content-type": "c/d"}}, false, `{"type":"call","id":"c1","operation":"","method":"","url":"","headers":{"content-type":"c/d"},"body":"","key":"","key_header":"","deadline_ms":0}`, "headers are sent as they are"},
		{"binary", Call{Body: []byte("\x00\xff")}, false, `{"type":"call","id":"c1","operation":"","method":"","url":"","headers":{},"body_base64":"AP8=","key":"","key_header":"","deadline_ms":0}`, "JSON holds texts"},
		{"signs", Call{Body: []byte("<&>\u2028\n\x00")}, false, `{"type":"call","id":"c1","operation":"","method":"","url":"","headers":{},"body":"<&>\u2028\n\u0000","key":"","key_header":"","deadline_ms":0}`, "one line to every reader"},
		{"a stream", Call{Stream: true}, false, `{"type":"call","id":"c1","operation":"","method":"","url":"","headers":{},"body":"","key":"","key_header":"","deadline_ms":0,"stream":true}`, "only where it is one"},
		{"a moment", Call{Deadline: time.Microsecond}, false, `{"type":"call","id":"c1","operation":"","method":"","url":"","headers":{},"body":"","key":"","key_header":"","deadline_ms":1}`, "0 would mean none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := callLine("c1", tt.call, tt.policy)
			if err != nil || string(got) != tt.want+"\n" {
				t.Errorf("got\n%s%v, want\n%s\n(%s)", got, err, tt.want, tt.reason)
			}
		})
	}
}

// FuzzDecodeMessage holds what was understood of a line to the contract, and what was not to a short reason.
func FuzzDecodeMessage(f *testing.F) {
	for _, line := range []string{
		`{"type":"hello","name":"child","version":"1","features":["cancel","policy"]}`,
		`{"type":"hello","protocol":1,"name":"shop","version":"2.3","language":"python","features":["retries"],"claims":{"max_attempts":4,"jitter":"full","breaker":{"threshold":1}}}`,
		`{"type":"hello","features":["retry"],"claims":{"budget":{"ratio":"x"}}}`,
		`{"type":"result","id":"c1","outcome":"ok","status":201,"body":"h\u00e9","error":""}`,
		`{"type":"result","id":"c1","outcome":"ok","body_base64":"AP8="}`,
		`{"type":"result","id":"c1","outcome":"failed","body_sha256":"` + strings.Repeat("0", 64) + `","body_bytes":1}`,
		`{"type":"result","id":"c1","outcome":"success","status":1e400}`,
		`{"type":"result","id":"c1","outcome":"ok","body":"\ud83d\ude00\ud83d"}`,
		`{"type":"result","id":"c1","outcome":"ok","outcome":"failed"}`,
		`{"type":{},"id":[]}`, `[[[[`, `null`, "", "\xff", `{"":`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := decodeMessage(line)
		switch {
		case err != nil:
			if why := brief(err.Error()); why == "" || strings.Contains(why, "\n") || len(why) > 2*briefLimit {
				t.Errorf("got the reason %q; want one short line", why)
			}
		case m.hello != nil:
			if len(line) > helloLimit || len(checkFeatures(*m.hello))+len(checkPolicy(*m.hello))+len(checkParts(*m.hello)) > 0 {
				t.Errorf("got %+v; want it refused", *m.hello)
			}
		default:
			var plain struct {
				ID, Outcome string
				Status      int
			}
			if err := json.Unmarshal(line, &plain); err != nil {
				t.Fatalf("understood what is no JSON: %v", err)
			}
			got := []any{m.id, string(m.result.Outcome), m.result.Status}
			if want := []any{plain.ID, plain.Outcome, plain.Status}; !cmp.Equal(got, want) || m.id == "" || checked(m.result).Trouble != "" {
				t.Errorf("got %v; want %v", got, want)
			}
		}
	})
}
