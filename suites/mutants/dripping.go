package mutants

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"time"
)

func dripping() []Mutant {
	return []Mutant{
		{
			Name:   "deadline-for-the-head-only",
			Defect: "cancels its deadline once the headers are there",
			Trips:  []string{"DL-05"},
			Policy: sending(headOnly),
		},
		{
			Name:   "idle-timeout-for-a-deadline",
			Defect: "bounds an attempt by the pause between two bytes, and not by the time that is left",
			Trips:  []string{"DL-05", "DL-06"},
			Policy: all(rememberCaller, dialling(idleTimeout), sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				return next.RoundTrip(req.WithContext(withoutDeadline(req.Context())))
			})),
		},
		{
			Name:   "decoder-reads-on",
			Defect: "forgets its deadline where a decoder sits between it and the bytes",
			Trips:  []string{"DL-05"},
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				return untied(req, next, func(reply *http.Response) bool { return reply.Uncompressed })
			}),
		},
		{
			Name:   "interim-replies-start-the-clock-again",
			Defect: "takes an interim reply for progress, and starts its deadline again",
			Trips:  []string{"DL-06"},
			Policy: all(rememberCaller, sending(untilTheDeadline)),
		},
	}
}

// headOnly lets the attempt's context end the wait for the head, but not the reading of the body.
func headOnly(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	return untied(req, next, func(*http.Response) bool { return true })
}

// untied lets the attempt's context end the wait for the head, but not the reading of such bodies.
func untied(req *http.Request, next http.RoundTripper, such func(*http.Response) bool) (*http.Response, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(req.Context()))
	stop := context.AfterFunc(req.Context(), cancel)
	reply, err := untilRead(req.WithContext(ctx), cancel, next)
	if err == nil && such(reply) {
		stop()
	}
	return reply, err
}

// untilTheDeadline ends a request where its deadline is, counted anew from each interim reply.
func untilTheDeadline(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	deadline, _ := req.Context().Deadline()
	left := time.Until(deadline)
	ctx, cancel := context.WithCancel(withoutDeadline(req.Context()))
	timer := time.AfterFunc(left, cancel)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error {
		timer.Reset(left)
		return nil
	}})
	return untilRead(req.WithContext(ctx), cancel, next)
}

// untilRead sends a request whose context ends when its reply has been read, or with an error.
func untilRead(req *http.Request, cancel context.CancelFunc, next http.RoundTripper) (*http.Response, error) {
	reply, err := next.RoundTrip(req)
	if err != nil {
		cancel()
		return nil, err
	}
	reply.Body = closing{reply.Body, cancel}
	return reply, nil
}

// closing is a body whose end ends its request.
type closing struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (c closing) Close() error {
	err := c.ReadCloser.Close()
	c.cancel()
	return err
}

// idle is the pause that such a client allows: longer than the drips of any scenario, so short that four attempts fit into a deadline.
const idle = 200 * time.Millisecond

// idleTimeout ends a read that has waited too long for a byte.
func idleTimeout(c net.Conn) net.Conn { return impatient{c} }

type impatient struct{ net.Conn }

func (i impatient) Read(p []byte) (int, error) {
	if err := i.SetReadDeadline(time.Now().Add(idle)); err != nil {
		return 0, err
	}
	return i.Conn.Read(p)
}
