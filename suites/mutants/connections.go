package mutants

import (
	"errors"
	"io"
	"net/http"
	"syscall"
)

func connections() []Mutant {
	return []Mutant{
		{
			Name:   "takes-a-short-body",
			Defect: "takes a reply that ends early for a whole one",
			Trips:  []string{"CX-01", "CX-02", "OC-01"},
			Policy: forgiving(io.ErrUnexpectedEOF, syscall.ECONNRESET),
		},
		{
			Name:   "takes-a-closed-body",
			Defect: "takes a close before the declared length for the reply's end",
			Trips:  []string{"CX-01", "CX-02", "OC-01"},
			Policy: forgiving(io.ErrUnexpectedEOF),
		},
		{
			Name:   "takes-a-reset-body",
			Defect: "takes a reset within the body for the reply's end",
			Trips:  []string{"CX-01"},
			Policy: forgiving(syscall.ECONNRESET),
		},
		{
			Name:   "hidden-repeats",
			Defect: "leaves net/http's own repeats on, on kept connections",
			Trips:  []string{"CX-04"},
			Policy: editing(func(req *http.Request, _ int) {
				if name := keyField(req.Header); name != "" {
					key := req.Header[name]
					delete(req.Header, name)
					req.Header[http.CanonicalHeaderKey(name)] = key
				}
				if req.ContentLength == 0 {
					req.Body = nil
				}
			}),
		},
		{
			Name:   "hidden-repeats-of-reads",
			Defect: "switches net/http's own repeats off for writes only",
			Trips:  []string{"CX-04"},
			Policy: editing(func(req *http.Request, _ int) {
				if req.Method == http.MethodGet {
					req.Body = nil
				}
			}),
		},
		{
			Name:   "two-layers",
			Defect: "sits on a transport that repeats reads once on its own, and does not know it",
			Trips:  []string{"DL-07", "CX-04"},
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				reply, err := next.RoundTrip(req)
				if err != nil && req.Method == http.MethodGet && req.Context().Err() == nil {
					req = req.Clone(req.Context())
					req.Body = nil
					return next.RoundTrip(req)
				}
				return reply, err
			}),
		},
	}
}

// forgiving takes these errors within a reply's body for its end.
func forgiving(these ...error) change {
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		reply, err := next.RoundTrip(req)
		if err == nil {
			reply.Body = &forgiven{reply.Body, these}
		}
		return reply, err
	})
}

type forgiven struct {
	io.ReadCloser
	these []error
}

func (f *forgiven) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	for _, this := range f.these {
		if errors.Is(err, this) {
			return n, io.EOF
		}
	}
	return n, err
}
