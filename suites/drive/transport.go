package drive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Transport is a carrier for anything that is an [http.RoundTripper]: retrying transports, SDK middlewares, net/http itself. make gets a
// fresh [http.Transport] that reaches the fake, and wraps it. Each call is one round trip in a context that ends at the call's deadline.
//
// A key is sent where the endpoint takes one and the call hands it over. A client with the feature "idempotency-key" also sends a fresh
// one with each POST or PATCH of its own; it is the same in all attempts, since a round tripper sees the request only once.
//
// The outcome is ok for a whole 2xx. It is failed where the request was surely not applied: after a 4xx or a 503, and when no attempt
// ever got a connection. A safe method is never more than failed. Everything else is unknown: another status, a reply cut short, and
// a refusal that came after an attempt whose reply was lost.
func Transport(h Hello, make func(base *http.Transport) http.RoundTripper) Carrier {
	return Go(h, func(dial Dial) Client {
		base := &http.Transport{
			DialContext:           dial,
			MaxIdleConns:          100, // these three are those of http.DefaultTransport
			IdleConnTimeout:       90 * time.Second,
			ExpectContinueTimeout: time.Second,
		}
		return &roundTrip{base: base, rt: make(base), ownKey: h.Has(IdempotencyKey)}
	})
}

// roundTrip makes a client of a round tripper.
type roundTrip struct {
	base   *http.Transport
	rt     http.RoundTripper
	ownKey bool
}

// CloseIdleConnections gives back the connections of the base, and those that the round tripper may keep beside it.
func (c *roundTrip) CloseIdleConnections() {
	c.base.CloseIdleConnections()
	if owner, ok := c.rt.(interface{ CloseIdleConnections() }); ok {
		owner.CloseIdleConnections()
	}
}

func (c *roundTrip) Do(ctx context.Context, call Call) Result {
	if call.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, call.Deadline)
		defer cancel()
	}
	var t trail
	req, err := c.request(t.follow(ctx), call)
	if err != nil {
		return Result{Outcome: Failed, Err: err.Error()}
	}
	reply, err := c.rt.RoundTrip(req)
	switch {
	case err != nil && (safe(req.Method) || t.neverSent(err)):
		return Result{Outcome: Failed, Err: err.Error()}
	case err != nil:
		return Result{Outcome: Unknown, Err: err.Error()}
	case reply == nil:
		return Result{Outcome: Error, Trouble: "the round tripper gave neither a reply nor an error"}
	}
	defer reply.Body.Close()
	r := Result{Status: reply.StatusCode}
	err = r.read(reply.Body)
	if err != nil {
		r.Err = fmt.Sprintf("%s, body: %v", reply.Status, err)
	} else if reply.StatusCode/100 != 2 {
		r.Err = reply.Status
	}
	r.Outcome = meaning(reply.StatusCode, err == nil, safe(req.Method), t.lostReply())
	return r
}

// meaning is the outcome of a final reply.
func meaning(status int, whole, safe, lostReply bool) Outcome {
	refused := status/100 == 4 || status == http.StatusServiceUnavailable
	switch {
	case status/100 == 2 && whole:
		return OK
	case safe, refused && !lostReply:
		return Failed
	}
	return Unknown
}

func (c *roundTrip) request(ctx context.Context, call Call) (*http.Request, error) {
	var body io.Reader
	if len(call.Body) > 0 {
		body = bytes.NewReader(call.Body) // from which net/http also learns the length, and how to read it again
	}
	req, err := http.NewRequestWithContext(ctx, call.Method, call.URL, body)
	if err != nil {
		return nil, err
	}
	if call.Stream {
		req.GetBody = nil
	}
	for name, value := range call.Headers {
		req.Header.Set(name, value)
	}
	req.Host = req.Header.Get("Host")
	if call.Type != "" {
		req.Header.Set("Content-Type", call.Type)
	}
	switch {
	case call.KeyHeader == "":
	case call.KeyGiven:
		req.Header.Set(call.KeyHeader, call.Key)
	case c.ownKey && wantsKey(req.Method):
		req.Header.Set(call.KeyHeader, newKey())
	}
	return req, nil
}

// keptBody is how much of a reply is kept; of a longer one there is only the digest.
const keptBody = 1 << 20

// read takes in a reply's body, to its end or to the error that cut it short.
func (r *Result) read(body io.Reader) error {
	var kept bytes.Buffer
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(sum, &limited{&kept}), body)
	r.BodyBytes, r.BodySHA256 = n, hex.EncodeToString(sum.Sum(nil))
	if n <= keptBody {
		r.Body = append([]byte{}, kept.Bytes()...)
	}
	return err
}

// limited forgets what goes beyond keptBody.
type limited struct{ *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := keptBody - l.Len(); room > 0 {
		l.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
