package report

import (
	"encoding/json"
	"testing"
)

func TestHarmless(t *testing.T) {
	tests := []struct{ name, text, want, reason string }{
		{"empty", "", "", "nothing to spell out"},
		{"plain", `GET /v1/a?b="c"\d`, `GET /v1/a?b="c"\d`, "quotes and backslashes harm nobody"},
		{"other languages", "naïve ✂ 支付", "naïve ✂ 支付", "people write in them"},
		{"escape", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, "it would colour the report"},
		{"bell and null", "\a\x00", `\a\x00`, "control characters"},
		{"line ends", "a\r\nb\tc", `a\r\nb\tc`, "they would move the cursor"},
		{"C1", "\u009b31m", `\u009b31m`, "the same as ESC [ for some terminals"},
		{"turned around", "\u202etxt.exe\u2066", `\u202etxt.exe\u2066`, "it would be read another way than it is"},
		{"invisible", "pay\u200bment", `pay\u200bment`, "it would look like another word"},
		{"no text", "a\xff\xc3(", `a\xff\xc3(`, "bytes that are no letters"},
		{"replacement character", "\ufffd", "\ufffd", "it is a letter, if somebody wrote it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Harmless(tt.text)
			if got != tt.want || Harmless(got) != got {
				t.Errorf("got %q, again %q; want %q both times: %s", got, Harmless(got), tt.want, tt.reason)
			}
		})
	}
}

func TestEscaped(t *testing.T) {
	const text = "line\none\ttwo \u202e \u009b \x7f \U000e0001 支付"
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var back string
	if got := escaped(quoted); string(got) != `"line\none\ttwo \u202e \u009b \u007f \udb40\udc01 支付"` || json.Unmarshal(got, &back) != nil || back != text {
		t.Errorf("got %s, which is %q; want it printable, and the same to who reads JSON", got, back)
	}
	if got := string(escaped([]byte("a\nb\t\u202ec"))); got != "a\nb\t\\u202ec" {
		t.Errorf("got %q, want lines left alone", got)
	}
}
