package faults

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
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

// Check refuses what no header can carry.
func (r RetryAfter) Check() error {
	for _, v := range r {
		if strings.ContainsAny(v, "\r\n\x00") {
			return fmt.Errorf("retry-after %q: want a value without line breaks", v)
		}
	}
	return nil
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

// UnmarshalYAML takes one value or a list, each as it is written: 1.5 and 0x10 keep their spelling.
func (r *RetryAfter) UnmarshalYAML(n ast.Node) error {
	if list, ok := n.(*ast.SequenceNode); ok {
		for _, item := range list.Values {
			*r = append(*r, spelling(item))
		}
		return nil
	}
	if _, ok := n.(*ast.MappingNode); ok {
		return &yaml.SyntaxError{Message: "retry-after: want a value or a list of values", Token: n.GetToken()}
	}
	*r = RetryAfter{spelling(n)}
	return nil
}

// spelling is a scalar as its author wrote it, without quotes.
func spelling(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.GetToken().Value
}
