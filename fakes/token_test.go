package fakes

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/brownout-dev/brownout/faults"
)

func TestOperationInHead(t *testing.T) {
	for _, row := range []struct {
		name, target string
		header       http.Header
		want         faults.OperationID
	}{
		{"path", "/v1/orders/op-5f0c2a9d", nil, "op-5f0c2a9d"},
		{"path, escaped", "/v1/orders/op%2D5f0c2a9d/lines", nil, "op-5f0c2a9d"},
		{"query", "/v1/orders?trace=op-5f0c2a9d&x=1", nil, "op-5f0c2a9d"},
		{"query, escaped", "/v1/orders?trace=op%2d5f0c2a9d", nil, "op-5f0c2a9d"},
		{"query that cannot be unescaped", "/v1/orders?x=%zz&trace=op-5f0c2a9d", nil, "op-5f0c2a9d"},
		{"header", "/v1/orders", http.Header{"X-Request-Id": {"a, op-5f0c2a9d"}}, "op-5f0c2a9d"},
		{"second line of a header", "/v1/orders", http.Header{"X": {"none", "op-5f0c2a9d"}}, "op-5f0c2a9d"},
		{"path before query", "/op-path0000?op=op-query000", http.Header{"X": {"op-header00"}}, "op-path0000"},
		{"query before header", "/?op=op-query000", http.Header{"X": {"op-header00"}}, "op-query000"},
		{"headers by name", "/", http.Header{"B": {"op-bbbbbbbb"}, "A": {"op-aaaaaaaa"}}, "op-aaaaaaaa"},
		{"not in the key: one key for two operations must not make them one", "/", http.Header{KeyHeader: {"op-5f0c2a9d"}}, ""},
		{"too short", "/op-1234567", nil, ""},
		{"shortest", "/op-12345678", nil, "op-12345678"},
		{"longest", "/op-0123456789012345678901234567890123456789", nil, "op-0123456789012345678901234567890123456789"},
		{"too long", "/op-01234567890123456789012345678901234567890", nil, ""},
		{"inside a word", "/shop-12345678", nil, ""},
		{"capitals are no token", "/op-ABCDEFGH", nil, ""},
		{"none", "/v1/orders?a=b", http.Header{"User-Agent": {"shop"}}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			path, query, _ := strings.Cut(row.target, "?")
			plain, err := url.PathUnescape(path)
			if err != nil {
				t.Fatal(err)
			}
			r := &http.Request{URL: &url.URL{Path: plain, RawPath: path, RawQuery: query}, Header: row.header}
			got, ok := operationInHead(r)
			if got != row.want || ok != (row.want != "") {
				t.Errorf("got %q, %t, want %q", got, ok, row.want)
			}
		})
	}
}

func TestTokenIn(t *testing.T) {
	for _, row := range []struct{ name, body, want string }{
		{"json", `{"operation":"op-5f0c2a9d"}`, "op-5f0c2a9d"},
		{"form", `op=op-5f0c2a9d&x=1`, "op-5f0c2a9d"},
		{"binary around it", "\x00\xff\"op-5f0c2a9d\"\x00", "op-5f0c2a9d"},
		{"first of two", `["op-11111111","op-22222222"]`, "op-11111111"},
		{"second, where the first is none", `op-short, shop-11111111, op-22222222`, "op-22222222"},
		{"inside another's beginning", `op-op-11111111`, "op-11111111"},
		{"an underscore goes on", `op-11111111_`, ""},
		{"a capital goes on", `op-11111111A`, ""},
		{"none", `{"amount":1}`, ""},
		{"empty", ``, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := tokenIn([]byte(row.body)); string(got) != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}

// The scan finds exactly what the regular expression does that says what a token is.
func TestTokenInIsThePattern(t *testing.T) {
	pattern := regexp.MustCompile(`\bop-[0-9a-z]{8,40}\b`)
	piece := rapid.SampledFrom([]string{"op-", "op", "-", "_", " ", "A", "é", "\xff", "x", "01234567", "0123456789abcdefghij"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		if got, want := string(tokenIn([]byte(text))), pattern.FindString(text); got != want {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	})
}
