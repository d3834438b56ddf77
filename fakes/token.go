package fakes

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"github.com/brownout-dev/brownout/faults"
)

// An operation's token is tokenStart and 8 to 40 small letters and digits, wherever it stands, with no other letter, digit or underscore
// on either side: `\bop-[0-9a-z]{8,40}\b` as a regular expression.
const (
	tokenStart                = "op-"
	shortestName, longestName = 8, 40 // after tokenStart
)

// tokenIn finds the first token in text. It is looked for in every request, and this is ten times as fast as the regular expression.
func tokenIn(text []byte) faults.OperationID {
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte(tokenStart))
		if at < 0 {
			return ""
		}
		begin := from + at
		name := begin + len(tokenStart)
		end := name
		for end < len(text) && (isDigit(text[end]) || isSmall(text[end])) {
			end++
		}
		alone := (begin == 0 || !isWord(text[begin-1])) && (end == len(text) || !isWord(text[end]))
		if n := end - name; alone && n >= shortestName && n <= longestName {
			return faults.OperationID(text[begin:end])
		}
		from = name
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }
func isWord(c byte) bool  { return isDigit(c) || isSmall(c) || 'A' <= c && c <= 'Z' || c == '_' }

// tokenInText gives a copy too, because a piece of a long target would keep all of it for as long as the journal lives.
func tokenInText(text string) faults.OperationID {
	if !strings.Contains(text, tokenStart) {
		return ""
	}
	return tokenIn([]byte(text))
}

// operationInHead finds the operation that a request's head names: in its path, else in its query, else in its header fields by their
// names' order. The idempotency key is no place for it: it is what is judged, and one key used for two operations must not make
// them one.
func operationInHead(r *http.Request) (faults.OperationID, bool) {
	if op := tokenInText(r.URL.Path); op != "" {
		return op, true
	}
	if op := tokenInText(unescaped(r.URL.RawQuery)); op != "" {
		return op, true
	}
	first, found := "", faults.OperationID("")
	for name, values := range r.Header {
		if name == KeyHeader || found != "" && name > first {
			continue
		}
		for _, value := range values {
			if op := tokenInText(value); op != "" {
				first, found = name, op
				break
			}
		}
	}
	return found, found != ""
}

// unescaped is the query in plain text, or as it was sent if it is no valid query.
func unescaped(query string) string {
	if plain, err := url.QueryUnescape(query); err == nil {
		return plain
	}
	return query
}
