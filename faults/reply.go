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

	// Whole is what a 206 is a part of, and Offset where in it the part begins; nil for every other reply.
	Whole  []byte
	Offset int
}

// Content is what the reply is, or is a part of.
func (r *Reply) Content() []byte {
	if r.Whole != nil {
		return r.Whole
	}
	return r.Body
}

// HasBody tells whether the reply can have a body at all, be it empty (RFC 9112, 6.3).
func (r *Reply) HasBody() bool { return !r.ToHead && r.framed() }

// framed tells whether the head says how a body is framed (RFC 9110, 8.6). A 304 could, but only with the length of another reply.
func (r *Reply) framed() bool {
	return r.Status >= 200 && r.Status != http.StatusNoContent && r.Status != http.StatusNotModified
}

// head is the status line and the header block, for a body of that length. It announces the end of the connection, since most Senders'
// replies are the last on it.
func (r *Reply) head(now time.Time, length int) []byte {
	framing := r.framing(length)
	framing.Set("Connection", "close")
	return r.framedBy(now, framing)
}

// keptHead is the head of a reply that leaves the connection open.
func (r *Reply) keptHead(now time.Time, length int) []byte { return r.framedBy(now, r.framing(length)) }

// Kept is the whole reply as HTTP/1.1 writes it. It leaves the connection open.
func (r *Reply) Kept(now time.Time) []byte { return append(r.keptHead(now, len(r.Body)), r.body()...) }

// framing is how the head frames a body of that length.
func (r *Reply) framing(length int) http.Header {
	switch {
	case !r.framed():
		return http.Header{}
	case r.Chunked:
		return http.Header{"Transfer-Encoding": {"chunked"}}
	}
	return http.Header{"Content-Length": {strconv.Itoa(length)}}
}

// framedBy is the head with that framing, whatever the reply's header says of it.
func (r *Reply) framedBy(now time.Time, framing http.Header) []byte {
	h := http.Header{"Date": {now.UTC().Format(http.TimeFormat)}}
	maps.Copy(h, r.Header)
	for _, name := range []string{"Connection", "Content-Length", "Transfer-Encoding"} {
		h.Del(name)
	}
	maps.Copy(h, framing)
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
		return append(chunk(r.Body), lastChunk...)
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
