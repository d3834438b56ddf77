//go:build unix

package drive

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestArguments(t *testing.T) {
	call := fullCall()
	tests := []struct {
		name   string
		arg    string
		want   string
		reason string
	}{
		{"url", "{url}", call.URL, "the whole URL"},
		{"several", "{method} {url}{operation}", "POST " + call.URL + "op-5f0c2a9d", "anywhere in an argument"},
		{"body", "--data={body}", "--data=" + string(call.Body), "as it is: words inside the body are not filled in"},
		{"key", "Idempotency-Key: {key}", "Idempotency-Key: k-1", ""},
		{"deadline", "{deadline_ms} {deadline_s}", "2500 2.5", "both units"},
		{"other braces", `{"a":1} {foo} {} ${url`, `{"a":1} {foo} {} ${url`, "only the contract's words are filled in"},
		{"twice", "{key}{key}", "k-1k-1", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := arguments([]string{"client", tt.arg}, call)
			if want := []string{"client", tt.want}; err != nil || !cmp.Equal(got, want) {
				t.Errorf("got %q, %v; want %q (%s)", got, err, want, tt.reason)
			}
		})
	}
}

func TestArgumentsOfDeadlines(t *testing.T) {
	tests := []struct {
		deadline time.Duration
		want     string
		reason   string
	}{
		{0, "0 0", "none given"},
		{time.Microsecond, "1 0.001", "0 would mean none"},
		{1500 * time.Microsecond, "2 0.002", "whole milliseconds"},
		{100 * time.Millisecond, "100 0.1", "no zeros behind"},
		{time.Hour, "3600000 3600", "no exponent"},
	}
	for _, tt := range tests {
		got, err := arguments([]string{"client", "{deadline_ms} {deadline_s}"}, Call{Deadline: tt.deadline})
		if err != nil || got[1] != tt.want {
			t.Errorf("%v: got %q, %v; want %q (%s)", tt.deadline, got, err, tt.want, tt.reason)
		}
	}
}

func TestArgumentsRefuse(t *testing.T) {
	tests := []struct {
		name string
		call Call
		want string
	}{
		{"long body", Call{Body: bytes.Repeat([]byte("x"), argumentLimit+1)}, "{body}: 65537 bytes do not fit into an argument (at most 65536, no NUL): read the body from stdin"},
		{"NUL in the body", Call{Body: []byte("a\x00b")}, "{body}: 3 bytes do not fit"},
		{"NUL in the URL", Call{URL: "http://a/\x00"}, "argument 1: a NUL byte cannot be passed on"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := arguments([]string{"client", "{body}{url}"}, tt.call)
			wantPart(t, "error", text(err), tt.want)
		})
	}
}

// given asks a real process what it was given.
func given(t *testing.T, call Call, args ...string) map[string]any {
	t.Helper()
	carrier, err := Exec(Hello{}, child("tell", filepath.Join(t.TempDir(), "ready"), args...), ExecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	client, done, _ := carrier.New(t.Context(), nil)
	r := client.Do(t.Context(), call)
	if err := done(); err != nil || r.Outcome != OK {
		t.Fatalf("got %s, %v; want ok\n%s", r.Outcome, err, r.Trouble)
	}
	var told map[string]any
	if err := json.Unmarshal(r.Body, &told); err != nil {
		t.Fatal(err)
	}
	delete(told, "BROWNOUT_PLAY")
	return told
}

func stdin(body []byte) string { return fmt.Sprintf("%d %x", len(body), sha256.Sum256(body)) }

func TestExecPassesTheWholeCall(t *testing.T) {
	t.Setenv("BROWNOUT_KEY_GIVEN", "1") // of another run, which must not shine through
	t.Setenv("BROWNOUT_POLICY", "{}")
	full, long, binary := fullCall(), bytes.Repeat([]byte("x"), argumentLimit+1), []byte("a\x00b")
	bare := map[string]any{
		"argv": []any{}, "BROWNOUT_URL": "", "BROWNOUT_METHOD": "", "BROWNOUT_CONTENT_TYPE": "", "BROWNOUT_OPERATION": "",
		"BROWNOUT_KEY": "k", "BROWNOUT_KEY_HEADER": "", "BROWNOUT_HEADERS": "{}", "BROWNOUT_HEADER_LINES": "", "BROWNOUT_DEADLINE_MS": "0",
	}
	with := func(more map[string]any) map[string]any {
		all := maps.Clone(bare)
		maps.Copy(all, more)
		return all
	}
	tests := []struct {
		name   string
		call   Call
		args   []string
		want   map[string]any
		reason string
	}{
		{"everything", full, []string{"-m", "{deadline_s}", "{url}"}, map[string]any{
			"argv":                  []any{"-m", "2.5", full.URL},
			"stdin":                 stdin(full.Body),
			"BROWNOUT_URL":          full.URL,
			"BROWNOUT_METHOD":       "POST",
			"BROWNOUT_BODY":         string(full.Body),
			"BROWNOUT_CONTENT_TYPE": "application/json",
			"BROWNOUT_OPERATION":    "op-5f0c2a9d",
			"BROWNOUT_KEY":          "k-1",
			"BROWNOUT_KEY_GIVEN":    "1",
			"BROWNOUT_KEY_HEADER":   "Idempotency-Key",
			"BROWNOUT_HEADERS":      `{"Authorization":"Bearer t1","X-Two":"b: c"}`,
			"BROWNOUT_HEADER_LINES": "Authorization: Bearer t1\nX-Two: b: c",
			"BROWNOUT_DEADLINE_MS":  "2500",
			"BROWNOUT_POLICY":       `{"max_attempts":8,"base_ms":1,"cap_ms":2000}`,
		}, "the contract's table"},
		{"nothing", Call{Key: "k"}, nil, with(map[string]any{"stdin": stdin(nil), "BROWNOUT_BODY": ""}), "no variable of another run"},
		{"a stream", Call{Key: "k", Stream: true}, nil, with(map[string]any{"stdin": stdin(nil), "BROWNOUT_BODY": "", "BROWNOUT_STREAM": "1"}), "only where it is one"},
		{"long body", Call{Key: "k", Body: long}, nil, with(map[string]any{"stdin": stdin(long)}), "on stdin alone"},
		{"longest short body", Call{Key: "k", Body: long[1:]}, nil, with(map[string]any{"stdin": stdin(long[1:]), "BROWNOUT_BODY": string(long[1:])}), "64 KiB still fit"},
		{"binary body", Call{Key: "k", Body: binary}, nil, with(map[string]any{"stdin": stdin(binary)}), "a variable cannot hold NUL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, given(t, tt.call, tt.args...)); diff != "" {
				t.Errorf("%s: -want +got\n%s", tt.reason, diff)
			}
		})
	}
}

func TestExecOffersAFreshKey(t *testing.T) {
	first, second := given(t, Call{})["BROWNOUT_KEY"], given(t, Call{})["BROWNOUT_KEY"]
	if len(first.(string)) != 36 || strings.Count(first.(string), "-") != 4 || first == second {
		t.Errorf("got keys %q and %q; want two UUIDs that differ", first, second)
	}
}

func TestExecRefusesWhatNoEnvironmentHolds(t *testing.T) {
	_, err := environment(Call{Headers: map[string]string{"X": "a\x00b"}}, "m")
	wantPart(t, "error", text(err), "BROWNOUT_HEADER_LINES: a NUL byte cannot be passed on")
}
