package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Harmless spells out whatever is not plainly printable, line ends and invisible letters too, so that nothing a client sent or said can
// move a terminal's cursor, colour a report or turn its text around. Text that is harmless already stays as it is.
func Harmless(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch _, size := utf8.DecodeRuneInString(s[i:]); {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// escaped writes what is not plainly printable in a text as JSON does, \u202e, all but line ends and tabs. JSON means the same by it; in other
// texts it can be read.
func escaped(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case strconv.IsPrint(r) || r == '\n' || r == '\t' || r == '\r':
			b.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	return b.Bytes()
}

// plain is Harmless on one line, for what may have been written on several.
func plain(s string) string { return Harmless(strings.Join(strings.Fields(s), " ")) }
