package fakes

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFingerprint(t *testing.T) {
	deep := func(n int, inner string) string { return strings.Repeat("[", n) + inner + strings.Repeat("]", n) }
	for _, row := range []struct {
		name, a, b string
		same       bool
	}{
		{"key order", `{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{"key order, nested", `{"o":{"a":[1,{"x":1,"y":2}],"b":2}}`, `{"o":{"b":2,"a":[1,{"y":2,"x":1}]}}`, true},
		{"white space", `{"a":[1,2]}`, " {\n\t\"a\" : [ 1 , 2 ] }\r\n", true},
		{"number spelling", `{"a":1200}`, `{"a":1.2e3}`, true},
		{"escapes", `{"a":"\u0041/"}`, `{"a":"A\/"}`, true},
		{"escapes in keys", `{"\u0061":1}`, `{"a":1}`, true},
		{"other number", `{"a":1200}`, `{"a":1201}`, false},
		{"numbers beyond float64", `{"a":9007199254740993}`, `{"a":9007199254740992}`, false},
		{"number or string", `{"a":1}`, `{"a":"1"}`, false},
		{"null or absent", `{"a":null}`, `{}`, false},
		{"array order", `[1,2]`, `[2,1]`, false},
		{"where arrays end", `[[1],2]`, `[[1,2]]`, false},
		{"empty array or object", `[]`, `{}`, false},
		{"names that only look alike", `{"a":{"b":1}}`, `{"a":{},"b":1}`, false},
		{"literals", `[true]`, `[false]`, false},
		{"keys that stand twice are bytes", `{"a":1,"a":2}`, `{"a":2}`, false},
		{"keys that stand twice, spelled apart", `{"a":1,"\u0061":2}`, `{"\u0061":2}`, false},
		{"lone surrogates are bytes", `["\ud800"]`, `["\ud801"]`, false},
		{"broken UTF-8 is bytes", "[\"\xff\"]", "[\"\xfe\"]", false},
		{"nesting within the bound", deep(maxDepth, "1"), deep(maxDepth, "1.0"), true},
		{"nesting beyond the bound is bytes", deep(maxDepth+2, "1"), deep(maxDepth+2, "1.0"), false},
		{"nesting far beyond", deep(200_000, "1"), deep(200_000, " 1"), false},
		{"form", `amount=1&to=x`, `to=x&amount=1`, false},
		{"text with white space", `hello`, `hello `, false},
		{"half JSON is bytes", `{"a":1`, `{"a":1 `, false},
		{"two documents are bytes", `{} {}`, `{}{}`, false},
		{"trailing comma is bytes", `[1,]`, `[1, ]`, false},
		{"empty", ``, ` `, false},
		{"empty, twice", ``, ``, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := fingerprint([]byte(row.a)) == fingerprint([]byte(row.b)); got != row.same {
				t.Errorf("got same %t, want %t:\n%.200s\n%.200s", got, row.same, row.a, row.b)
			}
		})
	}
}

func TestCanonicalNumber(t *testing.T) {
	for _, row := range []struct{ n, want string }{
		{"0", "0e0"}, {"-0", "0e0"}, {"0.000", "0e0"}, {"0e5", "0e0"}, {"-0.0E-7", "0e0"},
		{"1", "1e0"}, {"1.0", "1e0"}, {"10e-1", "1e0"}, {"0.1E1", "1e0"}, {"1E+0", "1e0"},
		{"-12.50", "-125e-1"}, {"1200", "12e2"}, {"0.0012", "12e-4"},
		{"123456789012345678901234567890", "12345678901234567890123456789e1"},
		{"1e999999999999999999", "1e999999999999999999"},
		{"1e99999999999999999999", "1e99999999999999999999"}, // an exponent that is no int64 stays as it is
	} {
		if got := canonicalNumber(row.n); got != row.want {
			t.Errorf("%s: got %s, want %s", row.n, got, row.want)
		}
	}
}

// Two numbers have one spelling exactly if they are equal.
func TestCanonicalNumbersAreEqualAsTheirValues(t *testing.T) {
	digits := rapid.StringMatching(`-?(0|[1-9][0-9]{0,4})(\.[0-9]{1,4})?([eE][+-]?[0-9])?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := digits.Draw(t, "a"), digits.Draw(t, "b")
		if rapid.Bool().Draw(t, "same value") {
			b = value(t, a).FloatString(15) // no number above has more decimal places
		}
		got := canonicalNumber(a) == canonicalNumber(b)
		if want := value(t, a).Cmp(value(t, b)) == 0; got != want {
			t.Fatalf("%s and %s: got equal %t, want %t", a, b, got, want)
		}
	})
}

func value(t *rapid.T, n string) *big.Rat {
	v, ok := new(big.Rat).SetString(n)
	if !ok {
		t.Fatalf("%q is no number", n)
	}
	return v
}

// A document written in any order and spacing has one fingerprint; with any of its leaves changed it has another.
func TestFingerprintLooksAtTheMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document := drawValue(3).Draw(t, "document")
		a, b := spell(t, document), spell(t, document)
		if fingerprint([]byte(a)) != fingerprint([]byte(b)) {
			t.Fatalf("got two fingerprints for\n%s\n%s", a, b)
		}
		other := drawValue(3).Draw(t, "other")
		plain, _ := json.Marshal(document)
		otherPlain, _ := json.Marshal(other)
		if got, want := fingerprint(plain) == fingerprint(otherPlain), string(plain) == string(otherPlain); got != want {
			t.Fatalf("got same %t for\n%s\n%s", got, plain, otherPlain)
		}
	})
}

// drawValue draws JSON values nested at most depth deep.
func drawValue(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Int32().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil),
		rapid.StringMatching(`[a-z"\\é\n]{0,3}`).AsAny(),
	}
	if depth > 0 {
		leaves = append(leaves,
			rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[any] { return drawValue(depth - 1) }), 0, 3).AsAny(),
			rapid.MapOfN(rapid.StringMatching(`[a-c]{1,2}`), rapid.Deferred(func() *rapid.Generator[any] { return drawValue(depth - 1) }), 0, 3).AsAny())
	}
	return rapid.OneOf(leaves...)
}

// spell writes a value as JSON with members in some order and some white space.
func spell(t *rapid.T, v any) string {
	space := func() string { return rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space") }
	var parts []string
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			parts = append(parts, space()+spell(t, item)+space())
		}
		return "[" + strings.Join(parts, ",") + space() + "]"
	case map[string]any:
		keys := rapid.Permutation(slices.Sorted(maps.Keys(v))).Draw(t, "order")
		for _, k := range keys {
			parts = append(parts, fmt.Sprintf("%s%q%s:%s", space(), k, space(), space()+spell(t, v[k])))
		}
		return "{" + strings.Join(parts, ",") + space() + "}"
	default:
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}
