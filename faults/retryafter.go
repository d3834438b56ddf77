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
// A minus sign gives a time in the past. Dates have whole seconds: a fraction is cut off, so a date can be up to a second early. Several
// values make several fields.
type RetryAfter []string

const retryAfterWants = "any values without line breaks; date, rfc850, asctime and epoch take a duration, as in date+3s"

// layoutOf gives the time layout of a form; epoch has none.
func layoutOf(form string) (layout string, ok bool) {
	switch form {
	case "date":
		return http.TimeFormat, true
	case "rfc850":
		return "Monday, 02-Jan-06 15:04:05 GMT", true
	case "asctime":
		return time.ANSIC, true
	case "epoch":
		return "", true
	}
	return "", false
}

// computed splits a value that names a time from now, such as "date+3s"; ok is false for one that is sent as it is.
func computed(v string) (form, offset string, ok bool) {
	form = v
	if sign := strings.IndexAny(v, "+-"); sign >= 0 {
		form = v[:sign]
	}
	_, ok = layoutOf(form)
	return form, v[len(form):], ok
}

// sendable tells whether a header can carry the values and the times can be computed; apart from that they may be any nonsense.
func (r RetryAfter) sendable() bool {
	for _, v := range r {
		if strings.ContainsAny(v, "\r\n\x00") {
			return false
		}
		_, offset, ok := computed(v)
		if _, err := time.ParseDuration(offset); ok && err != nil {
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
	form, offset, ok := computed(v)
	d, err := time.ParseDuration(offset)
	if !ok || err != nil {
		return v
	}
	when := now.Add(d).UTC()
	if layout, _ := layoutOf(form); layout != "" {
		return when.Format(layout)
	}
	return strconv.FormatInt(when.Unix(), 10)
}

// Set adds a value as it is written: 1.5 and 0x10 keep their spelling.
func (r *RetryAfter) Set(text string) error {
	*r = append(*r, text)
	return nil
}

// Texts gives the values as they are written.
func (r *RetryAfter) Texts() []string { return *r }
