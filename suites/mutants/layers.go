package mutants

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

// layerWait is how long a layer below waits on average before it tries again.
const layerWait = 50 * time.Millisecond

// layer puts a layer under the client that tries so many times itself: after a 503 without a hint, where it is safe to.
func layer(tries int) change {
	return sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		body, err := io.ReadAll(req.Body) // from memory: it does not fail
		if err != nil {
			return nil, err
		}
		for try := 1; ; try++ {
			again := req.Clone(req.Context())
			again.Body, again.GetBody = io.NopCloser(bytes.NewReader(body)), nil
			reply, err := next.RoundTrip(again)
			safe := steady.Operation{Method: req.Method, Key: keyOf(req)}.Repeatable()
			if try == tries || err != nil || reply.StatusCode != http.StatusServiceUnavailable || len(reply.Header["Retry-After"]) > 0 || !safe {
				return reply, err
			}
			_, _ = io.CopyN(io.Discard, reply.Body, mostDrained) // shorter is well, and so is what ends in an error
			reply.Body.Close()
			select {
			case <-time.After(time.Duration(rand.Int64N(int64(2 * layerWait)))):
			case <-req.Context().Done():
				return nil, req.Context().Err()
			}
		}
	})
}

// mostDrained is how much of a failure a layer reads so that its connection can be used again.
const mostDrained = 64 << 10
