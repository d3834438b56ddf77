// Package nethttp is a client with no resilience code at all: net/http as its documentation shows it.
//
// It claims one attempt, and its source makes one. Its transport still sends a keyed request again by itself when a warm connection
// ends before the reply's first byte (Request.isReplayable in net/http). That is left on: whoever writes this client has it.
package nethttp

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"

	"github.com/brownout-dev/brownout/suites/drive"
)

// Hello is what such a client would say of itself.
func Hello() drive.Hello {
	return drive.Hello{
		Name:     "nethttp",
		Driver:   "go",
		Features: []drive.Feature{drive.IdempotencyKey},
		Claims:   drive.Claims{MaxAttempts: 1, KeyHeader: "Idempotency-Key"},
	}
}

// Client is an http.Client and nothing more. It is safe for concurrent use.
type Client struct{ http *http.Client }

var _ drive.Client = (*Client)(nil)

// New makes a client that connects through dial.
func New(dial drive.Dial) *Client {
	return &Client{&http.Client{Transport: &http.Transport{DialContext: dial}}}
}

// CloseIdleConnections closes the connections that no call is using.
func (c *Client) CloseIdleConnections() { c.http.CloseIdleConnections() }

// Do sends the request and reports what came of it. Without a deadline it waits for as long as ctx lasts, as http.Client does.
//
// An error of http.Client does not say whether the request arrived, and neither does this: the outcome is "error". So it is
// after a status that leaves the effect open.
func (c *Client) Do(ctx context.Context, call drive.Call) drive.Result {
	req, err := request(ctx, call)
	if err != nil {
		return drive.Result{Outcome: drive.Failed, Err: err.Error()}
	}
	client := *c.http
	client.Timeout = call.Deadline
	reply, err := client.Do(req)
	if err != nil {
		return drive.Result{Outcome: drive.Error, Err: err.Error()}
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return drive.Result{Outcome: drive.Error, Status: reply.StatusCode, Err: err.Error()}
	}
	r := drive.Result{Outcome: meaning(reply.StatusCode), Status: reply.StatusCode, Body: body}
	if r.Outcome != drive.OK {
		r.Err = reply.Status
	}
	return r
}

// request is the call as an http.Request, with a fresh key where the endpoint takes one for its method.
func request(ctx context.Context, call drive.Call) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, call.Method, call.URL, bytes.NewReader(call.Body))
	if err != nil {
		return nil, err
	}
	for name, value := range call.Headers {
		req.Header.Set(name, value)
	}
	if call.Type != "" {
		req.Header.Set("Content-Type", call.Type)
	}
	switch {
	case call.KeyHeader == "":
	case call.KeyGiven:
		req.Header.Set(call.KeyHeader, call.Key)
	case call.Method == http.MethodPost, call.Method == http.MethodPatch:
		req.Header.Set(call.KeyHeader, rand.Text())
	}
	return req, nil
}

// meaning is what a whole reply says of the request: done, refused, or neither.
func meaning(status int) drive.Outcome {
	switch {
	case status/100 == 2:
		return drive.OK
	case status/100 == 4, status == http.StatusServiceUnavailable:
		return drive.Failed
	}
	return drive.Error
}
