package faults

import (
	"cmp"
	"fmt"
	"net/http"
	"time"
)

// Surplus sends a reply that nobody asked for behind a whole one: at reply-body in its segment, at idle by itself, on the connection that
// is kept. A client that takes it for the answer to its next request hands its caller somebody else's (RFC 9112, 6.3: it must not be
// processed as a separate response).
type Surplus struct {
	Code  int           // of the reply that nobody asked for; 0 = 200
	After time.Duration // the reply; 0 = at once
	Close bool          // FIN follows, as after the 408 by which some servers say that they will wait no longer; else the connection stays open
}

var (
	_ Sender = (*Surplus)(nil)
	_ Sparer = (*Surplus)(nil)
)

func (*Surplus) Kind() Kind {
	return Kind{
		Name: "surplus", Main: "code",
		Phases: []Phase{Idle, ReplyBody},
		Wire:   "a whole reply, and behind it one more that answers nothing; the connection stays open",
	}
}

func (s *Surplus) Fields() []Field {
	return []Field{
		{Name: "code", Wants: "a final HTTP status that may have a body, 200 to 599; 200 by default", Value: aboveZero{numberOf(&s.Code)}},
		{Name: "after", Wants: "a duration above zero after the reply, such as 100ms; at once by default", Value: aboveZero{durationOf(&s.After)}},
		{Name: "close", Wants: "true or false", Value: flagOf(&s.Close)},
	}
}

func (s *Surplus) Check() error {
	if r := (Reply{Status: s.code()}); s.Code != 0 && (s.Code < 200 || s.Code > 599 || !r.HasBody()) {
		return unfit(s, "code")
	}
	if s.After < 0 {
		return unfit(s, "after")
	}
	return nil
}

func (s *Surplus) String() string { return spell(s) }

func (s *Surplus) code() int { return cmp.Or(s.Code, http.StatusOK) }

// Spares tells that the connection stays open for the next request.
func (s *Surplus) Spares() bool { return !s.Close }

func (s *Surplus) Send(at Phase, x Exchange, w Raw) (whole bool, err error) {
	var sent []byte
	if at == ReplyBody {
		sent = x.Reply().Kept(x.Now())
	}
	if s.After > 0 {
		if _, err := w.Write(sent); err != nil || !x.Wait(s.After) {
			return false, err
		}
		sent = nil
	}
	_, err = w.Write(append(sent, unasked(s.code(), s.Close, x.Now())...))
	return err == nil, err
}

// unasked is a whole reply that answers nothing, and says so to people.
func unasked(code int, closes bool, now time.Time) []byte {
	r := Reply{
		Status: code,
		Header: http.Header{"Content-Type": {"application/json"}},
		Body:   fmt.Appendf(nil, "{\"title\":%q,\"status\":%d,\"detail\":\"nobody asked for this reply\"}\n", http.StatusText(code), code),
	}
	if closes {
		return append(r.head(now, len(r.Body)), r.Body...)
	}
	return r.Kept(now)
}
