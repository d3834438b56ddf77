package drive

import (
	"bytes"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// readable refuses a line of JSON whose texts would be read as something else than was written: bytes that are not UTF-8, and half a
// surrogate pair, which a decoder turns into U+FFFD without a word (RFC 8259, 8.1 and 8.2). A body read so would look tampered with.
func readable(line []byte) error {
	if !utf8.Valid(line) {
		return errors.New("it is not UTF-8: bytes that are no text go into body_base64")
	}
	for rest := line; ; {
		i := bytes.IndexByte(rest, '\\')
		if i < 0 {
			return nil
		}
		rest = rest[i:]
		unit, ok := escaped(rest)
		switch {
		case !ok:
			rest = rest[min(len(`\n`), len(rest)):]
		case !utf16.IsSurrogate(unit):
			rest = rest[len(`\u0000`):]
		default:
			low, ok := escaped(rest[len(`\u0000`):])
			if !ok || utf16.DecodeRune(unit, low) == utf8.RuneError {
				return errors.New("it has half a surrogate pair: bytes that are no text go into body_base64")
			}
			rest = rest[len(`\ud83d\ude00`):]
		}
	}
}

// escaped reads the escape \uXXXX that a text begins with.
func escaped(text []byte) (unit rune, ok bool) {
	if len(text) < len(`\u0000`) || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}
