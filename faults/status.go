package faults

import (
	"fmt"
	"net/http"
)

// Status answers with a status of its own and any headers. Before the commit it tells the truth: nothing was applied. After the
// commit it is a lie, and the cruellest fault there is: an honest-looking refusal of something that was done.
type Status struct {
	Code       int
	RetryAfter RetryAfter
	Headers    map[string]string // by name
	Body       string            // empty: a problem document (RFC 9457) that says no more than the status
	Bytes      int               // a body of so many bytes in its place, all of them zero
}

var _ Striker = (*Status)(nil)

func (*Status) Kind() Kind {
	return Kind{
		Name: "status", Main: "code",
		Phases: []Phase{BeforeCommit, Head, AfterCommit},
		Wire:   "a whole reply with that status; after-commit, the effect was applied all the same",
	}
}

func (s *Status) Fields() []Field {
	return []Field{
		{Name: "code", Wants: "a final HTTP status, 200 to 599", Value: aboveZero{numberOf(&s.Code)}},
		{Name: "retry-after", Wants: retryAfterWants, Value: &s.RetryAfter, Shape: List},
		{Name: "headers", Wants: "names once each and values without line breaks; no Content-Length, Transfer-Encoding or Retry-After, which are set otherwise", Value: headersOf(&s.Headers), Shape: Pairs},
		{Name: "body", Wants: "text, and none with 204 or 304", Value: textOf(&s.Body)},
		{Name: "bytes", Wants: "1 to 67108864 bytes in place of a body, and none with 204 or 304", Value: aboveZero{numberOf(&s.Bytes)}},
	}
}

// mostBytes is a longer body than any client should read of a failure, and what a machine can spare for it.
const mostBytes = 64 << 20

func (s *Status) Check() error {
	switch r := (Reply{Status: s.Code}); {
	case s.Code < 200 || s.Code > 599:
		return unfit(s, "code")
	case !s.RetryAfter.sendable():
		return unfit(s, "retry-after")
	case !sendable(s.Headers):
		return unfit(s, "headers")
	case s.Body != "" && !r.HasBody():
		return unfit(s, "body")
	case s.Bytes < 0 || s.Bytes > mostBytes || s.Bytes > 0 && (s.Body != "" || !r.HasBody()):
		return unfit(s, "bytes")
	}
	return nil
}

func (s *Status) String() string { return spell(s) }

func (s *Status) Strike(x Exchange) Step {
	r := x.Reply()
	*r = bare(s.Code, r.ToHead)
	switch {
	case s.Bytes > 0:
		r.Header.Set("Content-Type", "application/octet-stream")
		r.Body = make([]byte, s.Bytes)
	case s.Body != "":
		r.Header.Del("Content-Type")
		r.Body = []byte(s.Body)
	}
	for name, value := range s.Headers {
		r.Header.Set(name, valueAt(value, x.Now()))
	}
	if len(s.RetryAfter) > 0 {
		r.Header["Retry-After"] = s.RetryAfter.Values(x.Now())
	}
	return Answer
}

// bare is a reply that says no more than its status, in a problem document where it can have a body.
func bare(code int, toHead bool) Reply {
	r := Reply{Status: code, Header: http.Header{}, Body: []byte{}, ToHead: toHead}
	if r.HasBody() {
		r.Header.Set("Content-Type", "application/problem+json")
		r.Body = fmt.Appendf(nil, "{\"title\":%q,\"status\":%d}\n", http.StatusText(code), code)
	}
	return r
}
