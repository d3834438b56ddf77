package faults

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"
)

// Reply is a whole HTTP reply.
type Reply struct {
	Status  int
	Header  http.Header
	Body    []byte
	Chunked bool // framed by chunks instead of Content-Length
	ToHead  bool // the reply to a HEAD request: its body is described by the head, and never sent
}

// HasBody tells whether the reply can have a body at all, be it empty (RFC 9112, 6.3).
func (r *Reply) HasBody() bool { return !r.ToHead && r.framed() }

// framed tells whether the head says how a body is framed (RFC 9110, 8.6). A 304 could, but only with the length of another reply.
func (r *Reply) framed() bool {
	return r.Status >= 200 && r.Status != http.StatusNoContent && r.Status != http.StatusNotModified
}

// head is the status line and the header block, for a body of that length. It announces the end of the connection, since a Sender's
// reply is the last on it.
func (r *Reply) head(now time.Time, length int) []byte {
	h := http.Header{"Date": {now.UTC().Format(http.TimeFormat)}}
	maps.Copy(h, r.Header)
	h.Set("Connection", "close")
	h.Del("Content-Length")
	h.Del("Transfer-Encoding")
	switch {
	case !r.framed():
	case r.Chunked:
		h.Set("Transfer-Encoding", "chunked")
	default:
		h.Set("Content-Length", strconv.Itoa(length))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %03d %s\r\n", r.Status, http.StatusText(r.Status))
	h.Write(&b)
	b.WriteString("\r\n")
	return b.Bytes()
}

// body is the whole body as it is framed.
func (r *Reply) body() []byte {
	switch {
	case !r.HasBody():
		return nil
	case r.Chunked:
		return append(chunk(r.Body), "0\r\n\r\n"...)
	}
	return r.Body
}

// part is the reply up to a point inside the phase: n bytes of the head or of the body, or half of them. Something is always missing:
// with Content-Length at least one byte, which an empty body is declared to have; with chunks at least the last chunk.
func (r *Reply) part(at Phase, n *int, now time.Time) []byte {
	length := max(1, len(r.Body))
	head := r.head(now, length)
	switch {
	case at == ReplyHead:
		return head[:upTo(len(head)-1, n)]
	case r.Chunked:
		return append(head, chunk(r.Body[:upTo(len(r.Body), n)])...)
	}
	return append(head, r.Body[:upTo(length-1, n)]...)
}

// upTo is n, or half of most, and never more than most.
func upTo(most int, n *int) int {
	if n == nil {
		return most / 2
	}
	return min(*n, most)
}

// chunk frames data as one chunk (RFC 9112, 7.1); no data is no chunk, since an empty one would be the last.
func chunk(data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	return fmt.Appendf(nil, "%x\r\n%s\r\n", len(data), data)
}

// partOf is the field that says how much of a reply is sent.
func partOf(p **int) Field {
	return Field{Name: "bytes", Wants: "0 or more bytes of the head or body; half of it by default, and never all", Value: countOf(p)}
}

func negative(n *int) bool { return n != nil && *n < 0 }
