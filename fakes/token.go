package fakes

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/brownout-dev/brownout/faults"
)

// tokenPattern is what an operation's token looks like, wherever it stands.
var tokenPattern = regexp.MustCompile(`\bop-[0-9a-z]{8,40}\b`)

// operationInHead finds the operation that a request's head names: in its path, else in its query, else in its header fields by their
// names' order. The idempotency key is no place for it: it is what is judged, and one key used for two operations must not make
// them one.
func operationInHead(r *http.Request) (faults.OperationID, bool) {
	if op := tokenPattern.FindString(r.URL.Path); op != "" {
		return faults.OperationID(op), true
	}
	if op := tokenPattern.FindString(unescaped(r.URL.RawQuery)); op != "" {
		return faults.OperationID(op), true
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if name == KeyHeader {
			continue
		}
		for _, value := range r.Header[name] {
			if op := tokenPattern.FindString(value); op != "" {
				return faults.OperationID(op), true
			}
		}
	}
	return "", false
}

// operationInBody finds the operation that the kept part of a body names; without any it is the empty one.
func operationInBody(kept []byte) faults.OperationID {
	return faults.OperationID(tokenPattern.Find(kept))
}

// unescaped is the query in plain text, or as it was sent if it is no valid query.
func unescaped(query string) string {
	if plain, err := url.QueryUnescape(query); err == nil {
		return plain
	}
	return query
}
