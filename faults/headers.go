package faults

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// headersValue holds header fields by name, each spelled "Name: value".
type headersValue struct{ at *map[string]string }

func headersOf(p *map[string]string) Value { return headersValue{p} }

func (v headersValue) Set(text string) error {
	name, value, ok := strings.Cut(text, ":")
	if _, again := (*v.at)[name]; !ok || again {
		return errors.New("not a new header field")
	}
	if *v.at == nil {
		*v.at = map[string]string{}
	}
	(*v.at)[name] = strings.TrimPrefix(value, " ")
	return nil
}

func (v headersValue) Texts() []string {
	var texts []string
	for name, value := range *v.at {
		texts = append(texts, name+": "+value)
	}
	slices.Sort(texts)
	return texts
}

// sendable tells whether a reply can carry the fields as they are. Those that frame the message are the fake's own, and Retry-After
// has a field of its own.
func sendable(headers map[string]string) bool {
	seen := map[string]bool{"Content-Length": true, "Transfer-Encoding": true, "Retry-After": true}
	for name, value := range headers {
		key := http.CanonicalHeaderKey(name)
		if seen[key] || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return false
		}
		seen[key] = true
	}
	return true
}
