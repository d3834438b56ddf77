package report

import (
	"fmt"
	"strconv"
	"strings"
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

// plain is Harmless on one line, for what may have been written on several.
func plain(s string) string { return Harmless(strings.Join(strings.Fields(s), " ")) }
