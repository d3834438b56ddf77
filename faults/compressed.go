package faults

import (
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
)

// compressed is the reply with its body in gzip (RFC 9110, 8.4.1.3). One that never has a body stays as it is.
func (r *Reply) compressed() Reply {
	c := *r
	if !r.HasBody() {
		return c
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(r.Body) // into memory: neither this nor the end fails
	z.Close()
	c.Header, c.Body = maps.Clone(r.Header), b.Bytes()
	if c.Header == nil {
		c.Header = http.Header{}
	}
	c.Header.Set("Content-Encoding", "gzip")
	return c
}
