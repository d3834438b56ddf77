package journal

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// boundedHeader keeps the shortest fields, whole, up to MaxHead bytes and MaxFields lines together; fields of one length by their names.
// A header that fits is given back as it is.
func boundedHeader(h http.Header) (kept http.Header, dropped int) {
	if fits(h) {
		return h, 0
	}
	names := slices.Sorted(maps.Keys(h))
	slices.SortStableFunc(names, func(a, b string) int { return fieldBytes(a, h[a]) - fieldBytes(b, h[b]) })
	kept = make(http.Header, min(len(h), MaxFields))
	bytes, lines := 0, 0
	for _, name := range names {
		n := fieldBytes(name, h[name])
		if bytes+n > MaxHead || lines+len(h[name]) > MaxFields {
			dropped += n
			continue
		}
		bytes, lines = bytes+n, lines+len(h[name])
		kept[name] = h[name]
	}
	return kept, dropped
}

// fits tells whether all fields can be kept, as they nearly always can.
func fits(h http.Header) bool {
	bytes, lines := 0, 0
	for name, values := range h {
		bytes, lines = bytes+fieldBytes(name, values), lines+len(values)
	}
	return bytes <= MaxHead && lines <= MaxFields
}

// fieldBytes counts a field's lines as HTTP/1.1 writes them.
func fieldBytes(name string, values []string) (n int) {
	for _, v := range values {
		n += len(name) + len(colon) + len(v) + len(newline)
	}
	return n
}

// packed is a header as HTTP/1.1 writes it. A journal keeps it that way because a long play has many: one string takes a third of the
// memory of a map, and none of the garbage collector's time.
type packed string

// What stands between names, values and lines (RFC 9112, 5). Neither can be part of what net/http lets through.
const colon, newline = ": ", "\r\n"

func pack(h http.Header) packed {
	n := 0
	for name, values := range h {
		n += fieldBytes(name, values)
	}
	var text strings.Builder
	text.Grow(n)
	for name, values := range h {
		for _, v := range values {
			for _, part := range [...]string{name, colon, v, newline} {
				text.WriteString(part)
			}
		}
	}
	return packed(text.String())
}

// unpack gives a header of its own to whoever asks.
func (p packed) unpack() http.Header {
	h := http.Header{}
	for line := range strings.SplitSeq(string(p), newline) {
		if name, value, ok := strings.Cut(line, colon); ok {
			h[name] = append(h[name], value)
		}
	}
	return h
}
