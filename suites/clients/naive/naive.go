// Package naive is the retry loop that people write before their first outage: five tries around http.Client, a second apart.
//
// It means well. It sends a key, but makes it inside the loop; it bounds each try, but not the whole; it waits, but always for the same
// time, whatever the server asks for; and it says "failed" when it only knows that it saw no success.
package naive

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// The numbers that such a loop comes with.
const (
	tries   = 5
	pause   = time.Second
	timeout = 10 * time.Second // of one try
)

// Hello is what its author would say of it.
func Hello() drive.Hello {
	return drive.Hello{
		Name:     "naive",
		Driver:   "go",
		Features: []drive.Feature{drive.Retries, drive.IdempotencyKey},
		Claims:   drive.Claims{MaxAttempts: tries, KeyHeader: "Idempotency-Key"},
	}
}

// Client is the loop. It is safe for concurrent use.
type Client struct{ http *http.Client }

var _ drive.Client = (*Client)(nil)

// New makes a client that connects through dial.
func New(dial drive.Dial) *Client {
	return &Client{&http.Client{Transport: &http.Transport{DialContext: dial}, Timeout: timeout}}
}

// CloseIdleConnections closes the connections that no call is using.
func (c *Client) CloseIdleConnections() { c.http.CloseIdleConnections() }

// Do tries until it sees a status that it takes for final. It never looks at the call's deadline; it stops between two
// tries once ctx has ended, since a play has to come to an end.
func (c *Client) Do(ctx context.Context, call drive.Call) drive.Result {
	var last drive.Result
	for range tries {
		last = c.try(ctx, call)
		if !again(last) {
			return last
		}
		time.Sleep(pause) // after the last try as well
		if ctx.Err() != nil {
			break
		}
	}
	return last
}

// again takes any error, any 5xx and 429 for something that passes, whatever the request was.
func again(r drive.Result) bool {
	return r.Status == 0 || r.Status == http.StatusTooManyRequests || r.Status >= 500
}

func (c *Client) try(ctx context.Context, call drive.Call) drive.Result {
	req, err := http.NewRequestWithContext(ctx, call.Method, call.URL, bytes.NewReader(call.Body))
	if err != nil {
		return drive.Result{Outcome: drive.Failed, Err: err.Error()}
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
	reply, err := c.http.Do(req)
	if err != nil {
		return drive.Result{Outcome: drive.Failed, Err: err.Error()}
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return drive.Result{Outcome: drive.Failed, Err: fmt.Sprintf("%s, body: %v", reply.Status, err)}
	}
	if reply.StatusCode/100 != 2 {
		return drive.Result{Outcome: drive.Failed, Status: reply.StatusCode, Body: body, Err: reply.Status}
	}
	return drive.Result{Outcome: drive.OK, Status: reply.StatusCode, Body: body}
}
