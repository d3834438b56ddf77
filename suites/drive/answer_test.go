package drive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sum(body string) string {
	s := sha256.Sum256([]byte(body))
	return hex.EncodeToString(s[:])
}

func TestAnswer(t *testing.T) {
	tests := []struct {
		name   string
		stdout string
		want   Result
		none   bool
		err    string // a part of it
		reason string
	}{
		{name: "whole", stdout: `{"outcome":"ok","status":201,"body":"h\u00e9","error":""}` + "\n",
			want: Result{Outcome: OK, Status: 201, Body: []byte("hé"), BodySHA256: sum("hé"), BodyBytes: 3}, reason: "every field"},
		{name: "least", stdout: `{"outcome":"unknown"}`, want: Result{Outcome: Unknown}, reason: "the rest may be left out"},
		{name: "null fields", stdout: `{"outcome":"failed","status":null,"body":null,"body_base64":null,"error":null}`, want: Result{Outcome: Failed}, reason: "null says nothing"},
		{name: "empty body", stdout: `{"outcome":"ok","body":""}`, want: Result{Outcome: OK, Body: []byte{}, BodySHA256: sum("")}, reason: "an empty body is not none"},
		{name: "binary body", stdout: `{"outcome":"ok","body_base64":"AP8="}`, want: Result{Outcome: OK, Body: []byte("\x00\xff"), BodySHA256: sum("\x00\xff"), BodyBytes: 2}, reason: "any bytes"},
		{name: "digest", stdout: `{"outcome":"ok","body_sha256":"` + strings.ToUpper(sum("x")) + `","body_bytes":1}`, want: Result{Outcome: OK, BodySHA256: sum("x"), BodyBytes: 1}, reason: "either case of hexadecimal"},
		{name: "digest and body", stdout: `{"outcome":"ok","body":"x","body_sha256":"` + sum("x") + `","body_bytes":1}`, want: Result{Outcome: OK, Body: []byte("x"), BodySHA256: sum("x"), BodyBytes: 1}, reason: "they agree"},
		{name: "unknown fields", stdout: `{"outcome":"ok","took_ms":12}`, want: Result{Outcome: OK}, reason: "an adapter may say more"},
		{name: "spaces and CRLF", stdout: "  {\"outcome\":\"ok\"} \r\n\r\n", want: Result{Outcome: OK}, reason: "as other systems end lines"},
		{name: "chatter around", stdout: "hello\n{\"outcome\":\"failed\"}\nbye\n", want: Result{Outcome: Failed}, reason: "the last such line, not the last line"},
		{name: "other objects", stdout: "{\"outcome\":\"failed\"}\n{\"level\":\"info\"}\n{}\n", want: Result{Outcome: Failed}, reason: "logs may be JSON as well"},
		{name: "corrected", stdout: "{outcome: ok}\n{\"outcome\":\"ok\"}\n", want: Result{Outcome: OK}, reason: "a good answer follows"},

		{name: "silence", none: true, reason: "the exit status counts"},
		{name: "text", stdout: "outcome: ok\n", none: true, reason: "no JSON"},
		{name: "list", stdout: `[{"outcome":"ok"}]`, none: true, reason: "no object"},
		{name: "nested", stdout: `{"result":{"outcome":"ok"}}`, none: true, reason: "the outcome is not the object's own"},
		{name: "other case", stdout: `{"Outcome":"ok"}`, none: true, reason: "JSON names have a case"},
		{name: "pretty printed", stdout: "{\n  \"outcome\": \"ok\"\n}\n", none: true, reason: "an answer is one line"},

		{name: "half", stdout: `{"outcome":"ok","sta`, err: "looks like an answer is not JSON: unexpected end", reason: "cut short"},
		{name: "python", stdout: `{'outcome': 'ok'}`, err: "looks like an answer is not JSON: invalid character '\\''", reason: "the usual slip"},
		{name: "spoiled", stdout: "{\"outcome\":\"ok\"}\n{\"outcome\":\"failed\"\n", err: "looks like an answer is not JSON", reason: "the earlier answer was not the last word"},
		{name: "Latin-1", stdout: "{\"outcome\":\"ok\",\"body\":\"\xe9\"}", err: "it is not UTF-8: bytes that are no text go into body_base64", reason: "its body would not be what the caller was given"},
		{name: "half a pair", stdout: `{"outcome":"ok","body":"\ud83d"}`, err: "half a surrogate pair", reason: "the same, in another way"},
		{name: "a pair", stdout: `{"outcome":"failed","error":"\ud83d\ude00\\ud83d"}`, want: Result{Outcome: Failed, Err: `😀\ud83d`}, reason: "a whole one, and a backslash before a u"},
		{name: "two on a line", stdout: `{"outcome":"ok"}{"outcome":"failed"}`, err: "looks like an answer is not JSON", reason: "one object a line"},
		{name: "outcome of the wrong word", stdout: `{"outcome":"OK"}`, err: `unknown outcome "OK": want one of ok, failed, unknown, error`, reason: "words have a case"},
		{name: "outcome of the wrong kind", stdout: `{"outcome":true}`, err: "the answer's outcome is true: want one of", reason: "a word"},
		{name: "outcome null", stdout: `{"outcome":null}`, err: `unknown outcome ""`, reason: "a word"},
		{name: "status as text", stdout: `{"outcome":"ok","status":"200"}`, err: `the answer's status is "200": want the last reply's status as a number`, reason: "a number"},
		{name: "status out of range", stdout: `{"outcome":"ok","status":20}`, err: "the answer's status is 20", reason: "HTTP has none such"},
		{name: "body as object", stdout: `{"outcome":"ok","body":{"a":1}}`, err: `the answer's body is {"a":1}: want a text`, reason: "the bytes, not what they mean"},
		{name: "bad base64", stdout: `{"outcome":"ok","body_base64":"?"}`, err: "the answer's body_base64: illegal base64", reason: ""},
		{name: "bad digest", stdout: `{"outcome":"ok","body_sha256":"abc","body_bytes":1}`, err: `the answer's body_sha256 is "abc": want 64 hexadecimal digits`, reason: ""},
		{name: "half a digest", stdout: `{"outcome":"ok","body_bytes":1}`, err: "only one of body_sha256 and body_bytes", reason: "each says too little alone"},
		{name: "contradiction", stdout: `{"outcome":"ok","body":"y","body_sha256":"` + sum("x") + `","body_bytes":1}`, err: "are not those of its body", reason: "one of them is not true"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// However the bytes come in, the answer is the same.
			for _, piece := range []int{1, 7, len(tt.stdout) + 1} {
				var a answer
				for rest := tt.stdout; rest != ""; rest = rest[min(piece, len(rest)):] {
					a.take([]byte(rest[:min(piece, len(rest))]))
				}
				a.end()
				var got Result
				ok, err := a.result(&got)
				if tt.err != "" {
					wantPart(t, "error", text(err), tt.err)
					continue
				}
				if err != nil || ok == tt.none || !cmp.Equal(got, tt.want) {
					t.Errorf("in pieces of %d: got %+v, %v, %v; want %+v, %v (%s)", piece, got, ok, err, tt.want, !tt.none, tt.reason)
				}
			}
		})
	}
}

func TestAnswerOfALineAtTheLimit(t *testing.T) {
	for _, tt := range []struct {
		length int
		want   string
	}{
		{answerLimit, ""},
		{answerLimit + 1, fmt.Sprintf("an answer longer than %d bytes", answerLimit)},
	} {
		frame := `{"outcome":"ok","body":""}`
		line := strings.Replace(frame, `""`, `"`+strings.Repeat("x", tt.length-len(frame))+`"`, 1)
		var a answer
		a.take([]byte(line + "\n"))
		var r Result
		_, err := a.result(&r)
		wantPart(t, fmt.Sprintf("error of %d bytes", tt.length), text(err), tt.want)
	}
}
