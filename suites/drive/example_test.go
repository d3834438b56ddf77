package drive_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"github.com/brownout-dev/brownout/suites/drive"
)

// twice is a round tripper as many products have one: it tries a second time, whatever it is sent.
type twice struct{ http.RoundTripper }

func (t twice) RoundTrip(req *http.Request) (*http.Response, error) {
	reply, err := t.RoundTripper.RoundTrip(req)
	if err == nil && reply.StatusCode < 500 {
		return reply, nil
	}
	if err == nil {
		reply.Body.Close()
	}
	return t.RoundTripper.RoundTrip(req)
}

func ExampleTransport() {
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		http.Error(w, "busy", http.StatusServiceUnavailable)
	}))
	defer server.Close()

	hello := drive.Hello{Name: "twice", Features: []drive.Feature{drive.Retries}, Claims: drive.Claims{MaxAttempts: 2}}
	carrier := drive.Transport(hello, func(base *http.Transport) http.RoundTripper { return twice{base} })
	client, done, err := carrier.New(context.Background(), new(net.Dialer).DialContext)
	if err != nil {
		fmt.Println(err)
		return
	}
	result := client.Do(context.Background(), drive.Call{Method: "GET", URL: server.URL, Deadline: 10 * time.Second})
	fmt.Println(result.Outcome, result.Status, requests.Load())
	fmt.Println(done())
	// Output:
	// failed 503 2
	// <nil>
}

func ExampleGo() {
	// A client that never asks anybody is quickly written, and quickly found out.
	carrier := drive.Go(drive.Hello{Name: "optimist"}, func(drive.Dial) drive.Client {
		return drive.Func(func(context.Context, drive.Call) drive.Result { return drive.Result{Outcome: drive.OK} })
	})
	client, done, err := carrier.New(context.Background(), new(net.Dialer).DialContext)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	fmt.Println(client.Do(context.Background(), drive.Call{Method: "GET", URL: "http://127.0.0.1:1/"}).Outcome)
	// Output:
	// ok
}
