package drive

import (
	"strings"
	"testing"
)

func TestStreamWords(t *testing.T) {
	tests := []struct {
		name string
		text string
		want string
	}{
		{"nothing", "", "stderr | (nothing)\n"},
		{"one line", "oh no", "stderr | oh no\n"},
		{"last dozen", "0\n" + strings.Repeat("1\n\n2\r\n", 6), strings.Repeat("stderr | 1\nstderr | 2\n", 6)},
		{"long line", strings.Repeat("é", 150), "stderr | " + strings.Repeat("é", 100) + "...\n"},
		{"control characters", "\x1b[31mred\x07 \xff\n", `stderr | \x1b[31mred\a \xff` + "\n"},
		{"beginning and end", "first\nsecond\nthird\n" + strings.Repeat("noise\n", 1000) + "last\n",
			"stderr | first\nstderr | second\nstderr | ... 6024 bytes in all ...\n" + strings.Repeat("stderr | noise\n", 11) + "stderr | last\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &stream{name: "stderr", flood: DefaultFlood}
			s.hear(strings.NewReader(tt.text))
			if got := s.words(); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestStreamKeepsLittle(t *testing.T) {
	floods := 0
	a := &answer{}
	s := &stream{name: "stdout", flood: 8 << 20, flooded: func(string) { floods++ }, listener: a}
	s.hear(strings.NewReader(strings.Repeat("x", 16<<20)))
	if kept := cap(s.head) + cap(s.tail) + cap(a.line); kept > 2<<20 || s.total != 16<<20 || floods != 1 {
		t.Errorf("got %d bytes kept of %d, %d floods; want at most 2 MiB of 16 MiB, 1 flood", kept, s.total, floods)
	}
}
