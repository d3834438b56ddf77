package mutants

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// sending puts something between the client and its transport.
func sending(trip func(req *http.Request, next http.RoundTripper) (*http.Response, error)) change {
	return func(p steady.Policy) steady.Policy {
		within := p.Transport
		p.Transport = func(next http.RoundTripper) http.RoundTripper {
			if within != nil {
				next = within(next)
			}
			return tripper(func(req *http.Request) (*http.Response, error) { return trip(req, next) })
		}
		return p
	}
}

// dialling puts something around each connection that the client makes.
func dialling(around func(net.Conn) net.Conn) change {
	return func(p steady.Policy) steady.Policy {
		within := p.Transport
		p.Transport = func(next http.RoundTripper) http.RoundTripper {
			base := next.(*http.Transport)
			dial := base.DialContext
			base.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
				c, err := dial(ctx, network, addr)
				if err != nil {
					return nil, err
				}
				return around(c), nil
			}
			if within != nil {
				return within(base)
			}
			return base
		}
		return p
	}
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// editing changes each request before it is sent; try counts the attempts of its operation, from 1.
func editing(edit func(req *http.Request, try int)) change {
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		req = req.Clone(req.Context())
		edit(req, steady.Try(req.Context()))
		return next.RoundTrip(req)
	})
}

// onRetries makes an edit of every attempt but the first.
func onRetries(edit func(*http.Request)) change {
	return editing(func(req *http.Request, try int) {
		if try > 1 {
			edit(req)
		}
	})
}

// keyField is the name under which the request carries its key; empty without one.
func keyField(h http.Header) string {
	for name := range h {
		if strings.EqualFold(name, "Idempotency-Key") {
			return name
		}
	}
	return ""
}

// keyOf is the key that the request carries; empty without one.
func keyOf(req *http.Request) string {
	if name := keyField(req.Header); name != "" {
		return req.Header[name][0]
	}
	return ""
}

// rekey gives the request another key, if it has one.
func rekey(req *http.Request, key string) {
	if name := keyField(req.Header); name != "" {
		req.Header[name] = []string{key}
	}
}

// dropKey takes the key away.
func dropKey(req *http.Request) { delete(req.Header, keyField(req.Header)) }

// rewrite changes the body of a request that has one, and declares the new length.
func rewrite(req *http.Request, change func([]byte) []byte) {
	if req.ContentLength <= 0 {
		return
	}
	old, err := io.ReadAll(req.Body) // from memory: it does not fail
	req.Body.Close()
	if err != nil {
		req.Body = io.NopCloser(strings.NewReader(""))
		return
	}
	body := change(old)
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if len(body) == 0 {
		req.Body = http.NoBody
	}
	req.GetBody = nil
}
