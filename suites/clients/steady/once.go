package steady

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// once keeps net/http's transport from sending a request a second time by itself, out of sight of the policy.
//
// When a warm connection ends before the reply's first byte, the transport repeats what it takes for replayable
// (Request.isReplayable and persistConn.shouldRetryRequest in net/http): a GET, HEAD or OPTIONS, and whatever carries an
// Idempotency-Key, if its body can be had again. So
//
//   - the key's field name is written in lower case, the same name to every server (RFC 9110, 5.1) but not to that look-up;
//   - a safe method gets an empty body that is not nil and cannot be had again; the transport finds it empty and sends none.
//
// What stays on is its repeat of a request of which no byte was written: there the first one does not exist.
func once(req *http.Request, keyHeader, key string) {
	if key != "" {
		req.Header[strings.ToLower(keyHeader)] = []string{key}
	}
	if req.Body == nil || req.Body == http.NoBody {
		switch req.Method {
		case http.MethodGet, http.MethodHead, http.MethodOptions:
			req.Body, req.GetBody = io.NopCloser(bytes.NewReader(nil)), nil
		}
	}
}
