package faults

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter is what a reply's Retry-After fields say (RFC 9110, 10.2.3), rightly or wrongly: each value is sent as it is written ("2",
// "-5", "soon", "1e400"), but for those that name a time from the moment of the reply, which are computed when it is sent:
//
//	date+3s     Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate, the one form to generate (RFC 9110, 5.6.7)
//	rfc850+3s   Sunday, 06-Nov-94 08:49:37 GMT    obsolete
//	asctime+3s  Sun Nov  6 08:49:37 1994          obsolete
//	epoch+3s    784111777                         never valid; seen in the wild
//
// A minus sign gives a time in the past. Several values make several fields.
type RetryAfter []string

var layouts = map[string]string{
	"date":    http.TimeFormat,
	"rfc850":  "Monday, 02-Jan-06 15:04:05 GMT",
	"asctime": time.ANSIC,
	"epoch":   "",
}

// sendable tells whether a header can carry the values; apart from that they may be any nonsense.
func (r RetryAfter) sendable() bool {
	for _, v := range r {
		if strings.ContainsAny(v, "\r\n\x00") {
			return false
		}
	}
	return true
}

// Values gives the fields of a reply that is sent now.
func (r RetryAfter) Values(now time.Time) []string {
	values := make([]string, len(r))
	for i, v := range r {
		values[i] = valueAt(v, now)
	}
	return values
}

func valueAt(v string, now time.Time) string {
	cut := strings.IndexAny(v, "+-")
	if cut <= 0 {
		return v
	}
	layout, ok := layouts[v[:cut]]
	offset, err := time.ParseDuration(v[cut:])
	if !ok || err != nil {
		return v
	}
	when := now.Add(offset).UTC()
	if v[:cut] == "epoch" {
		return strconv.FormatInt(when.Unix(), 10)
	}
	return when.Format(layout)
}

// Set adds a value as it is written: 1.5 and 0x10 keep their spelling.
func (r *RetryAfter) Set(text string) error {
	*r = append(*r, text)
	return nil
}

// Texts gives the values as they are written.
func (r *RetryAfter) Texts() []string { return *r }
