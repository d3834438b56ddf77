package mutants

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// resumption is what a client looks at before it joins two parts of a body, and whether it leaves the ETag to its own look, without If-Range.
type resumption struct{ status, place, etag, unconditional bool }

func resumptions() []Mutant {
	return []Mutant{
		{
			Name:   "appends-the-whole",
			Defect: "asks for the rest of a body that broke off, and appends whatever comes, be it all of it",
			Trips:  []string{"RT-12"},
			Policy: resuming(resumption{place: true, etag: true}),
		},
		{
			Name:   "appends-another-part",
			Defect: "asks for the rest of a body that broke off, and does not look where the part begins that it is given",
			Trips:  []string{"RT-12"},
			Policy: resuming(resumption{status: true, etag: true}),
		},
		{
			Name:   "appends-something-else",
			Defect: "asks for the rest of a body that broke off, and does not look whether it is still the same thing",
			Trips:  []string{"RT-12"},
			Policy: resuming(resumption{status: true, place: true}),
		},
		{
			Name:   "writes-behind-the-first-half",
			Defect: "hands on what came of a body before it broke off, and then all of it",
			Trips:  []string{"RT-12"},
			Policy: restarting,
		},
	}
}

// resuming asks once for the rest of a reply to a GET that broke off, and goes on with it if it looks right.
func resuming(looks resumption) change {
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		reply, err := next.RoundTrip(req)
		if err == nil && req.Method == http.MethodGet && reply.StatusCode == http.StatusOK && strings.HasPrefix(reply.Header.Get("ETag"), `"`) {
			reply.Body = &resumable{ReadCloser: reply.Body, etag: reply.Header.Get("ETag"), again: func(got int, etag string) (*http.Response, error) {
				again := req.Clone(req.Context())
				again.Header.Set("Range", fmt.Sprintf("bytes=%d-", got))
				if !looks.unconditional {
					again.Header.Set("If-Range", etag)
				}
				return next.RoundTrip(again)
			}, looks: looks}
		}
		return reply, err
	})
}

type resumable struct {
	io.ReadCloser
	looks   resumption
	etag    string
	got     int
	resumed bool
	again   func(got int, etag string) (*http.Response, error)
}

func (r *resumable) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.got += n
	if err == nil || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) || r.resumed {
		return n, err
	}
	r.resumed = true
	rest, failed := r.again(r.got, r.etag)
	if failed != nil {
		return n, err
	}
	if !r.fits(rest) {
		rest.Body.Close()
		return n, err
	}
	r.ReadCloser.Close()
	r.ReadCloser = rest.Body
	return n, nil
}

func (r *resumable) fits(rest *http.Response) bool {
	if rest.StatusCode != http.StatusPartialContent {
		return rest.StatusCode == http.StatusOK && !r.looks.status
	}
	begins := fmt.Sprintf("bytes %d-", r.got)
	return (!r.looks.place || strings.HasPrefix(rest.Header.Get("Content-Range"), begins)) &&
		(!r.looks.etag || rest.Header.Get("ETag") == r.etag)
}

// restarting has the whole again where a reply to a GET broke off, and writes it behind what it has.
var restarting = sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	reply, err := next.RoundTrip(req)
	if err == nil && req.Method == http.MethodGet && reply.StatusCode == http.StatusOK && reply.ContentLength > 0 {
		reply.Body = &resumable{ReadCloser: reply.Body, again: func(int, string) (*http.Response, error) {
			return next.RoundTrip(req.Clone(req.Context()))
		}}
	}
	return reply, err
})
