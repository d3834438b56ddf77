package mutants

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func retrying() []Mutant {
	return []Mutant{
		{
			Name:   "retries-404",
			Defect: "takes a 404 for something that may pass",
			Trips:  []string{"RT-01"},
			Policy: also(answered(http.StatusNotFound)),
		},
		{
			Name:   "retries-every-4xx",
			Defect: "retries everything that is not a success",
			Trips:  []string{"RT-01", "RT-13", "RT-15", "ID-06", "ID-12"},
			Policy: also(func(_ steady.Operation, a steady.Attempt) bool { return a.Err == nil && a.Status/100 == 4 }),
		},
		{
			Name:   "retries-refused-writes",
			Defect: "retries a 422, but only to a write, since its key makes that safe",
			Trips:  []string{"RT-01", "ID-06"},
			Policy: also(func(o steady.Operation, a steady.Attempt) bool { return !o.Safe() && answered(422)(o, a) }),
		},
		{
			Name:   "obeys-a-hint-on-422",
			Defect: "takes Retry-After for an invitation, whatever the status",
			Trips:  []string{"RT-01"},
			Policy: also(func(o steady.Operation, a steady.Attempt) bool { return hint(a) == "0" && answered(422)(o, a) }),
		},
		{
			Name:   "no-retry-after-503",
			Defect: "does not retry a 503",
			Trips:  []string{"RT-02", "RA-05"},
			Policy: never(answered(http.StatusServiceUnavailable)),
		},
		{
			Name:   "no-retry-after-429",
			Defect: "does not retry a 429",
			Trips:  []string{"RT-02"},
			Policy: never(answered(http.StatusTooManyRequests)),
		},
		{
			Name:   "gives-up-early-on-429",
			Defect: "retries a 429 once, and not twice",
			Trips:  []string{"RT-02"},
			Policy: never(both(answered(http.StatusTooManyRequests), func(o steady.Operation, _ steady.Attempt) bool { return o.Attempts == 2 })),
		},
		{
			Name:   "no-retry-of-writes",
			Defect: "retries reads only, though its writes carry keys",
			Trips:  []string{"RT-02", "RT-03", "RT-07", "RT-09", "CX-03"},
			Policy: never(func(o steady.Operation, _ steady.Attempt) bool { return !o.Safe() }),
		},
		{
			Name:   "repeats-a-write-after-502",
			Defect: "repeats a write without a key after a 502",
			Trips:  []string{"RT-03"},
			Policy: also(both(unkeyedWrite, answered(http.StatusBadGateway))),
		},
		{
			Name:   "repeats-a-write-after-504",
			Defect: "repeats a write without a key after a 504",
			Trips:  []string{"RT-03"},
			Policy: also(both(unkeyedWrite, answered(http.StatusGatewayTimeout))),
		},
		{
			Name:   "no-retry-after-504",
			Defect: "does not retry a 504, whatever was asked",
			Trips:  []string{"RT-03"},
			Policy: never(answered(http.StatusGatewayTimeout)),
		},
		{
			Name:   "repeats-a-write-after-500",
			Defect: "repeats a write without a key after a 500",
			Trips:  []string{"RT-04"},
			Policy: also(both(unkeyedWrite, answered(http.StatusInternalServerError))),
		},
		{
			Name:   "repeats-a-patch-after-500",
			Defect: "repeats a PATCH after a 500, taking it for idempotent",
			Trips:  []string{"RT-04"},
			Policy: also(func(o steady.Operation, a steady.Attempt) bool {
				return o.Method == http.MethodPatch && answered(http.StatusInternalServerError)(o, a)
			}),
		},
		{
			Name:   "repeats-a-write-after-a-reset",
			Defect: "repeats a write without a key when the connection is reset",
			Trips:  []string{"RT-08"},
			Policy: also(both(unkeyedWrite, endedIn(syscall.ECONNRESET))),
		},
		{
			Name:   "repeats-a-patch-after-a-reset",
			Defect: "repeats a PATCH without a key when the connection is reset, taking it for idempotent",
			Trips:  []string{"RT-08"},
			Policy: also(both(unkeyedPatch, endedIn(syscall.ECONNRESET))),
		},
		{
			Name:   "repeats-a-write-after-half-a-reply",
			Defect: "repeats a write without a key when the reply to it is cut short",
			Trips:  []string{"RT-08"},
			Policy: also(both(unkeyedWrite, func(_ steady.Operation, a steady.Attempt) bool { return a.Err != nil && a.Status/100 == 2 })),
		},
		{
			Name:   "repeats-a-patch-after-502",
			Defect: "repeats a PATCH without a key after a 502, taking it for idempotent",
			Trips:  []string{"RT-03"},
			Policy: also(both(unkeyedPatch, answered(http.StatusBadGateway))),
		},
		{
			Name:   "repeats-a-write-after-a-close",
			Defect: "repeats a write without a key when the connection is closed without a reply",
			Trips:  []string{"RT-08"},
			Policy: also(both(unkeyedWrite, endedIn(io.EOF))),
		},
		{
			Name:   "repeats-a-write-after-a-timeout",
			Defect: "repeats a write without a key when an attempt's own timer ends it",
			Trips:  []string{"RT-08"},
			Policy: all(attemptTimeout(usualAttempt), also(both(unkeyedWrite, endedIn(steady.ErrAttemptTimeout)))),
			Hello:  claimAttemptTimeout(usualAttempt),
		},
		{
			Name:   "one-attempt-more",
			Defect: "counts retries where it says attempts",
			Trips:  []string{"RT-10", "CX-04"},
			Policy: attempts(+1),
		},
		{
			Name:   "one-attempt-less",
			Defect: "stops an attempt short of what it says",
			Trips:  []string{"RT-10"},
			Policy: attempts(-1),
		},
		{
			Name:   "one-more-after-429",
			Defect: "makes an attempt more than it says where the last one was answered 429",
			Trips:  []string{"RT-10"},
			Policy: oneMoreAfter(answered(http.StatusTooManyRequests)),
		},
		{
			Name:   "one-more-after-502",
			Defect: "makes an attempt more than it says where the last one was answered 502",
			Trips:  []string{"RT-10"},
			Policy: oneMoreAfter(answered(http.StatusBadGateway)),
		},
		{
			Name:   "one-more-for-writes",
			Defect: "makes an attempt more than it says for a write",
			Trips:  []string{"RT-10", "CX-04"},
			Policy: oneMoreAfter(func(o steady.Operation, _ steady.Attempt) bool { return !o.Safe() }),
		},
		{
			Name:   "endless",
			Defect: "has no limit but the time",
			Trips:  []string{"DL-07", "RT-10", "CX-04"},
			Policy: attempts(+1_000_000),
		},
		{
			Name:   "only-200-is-success",
			Defect: "takes a 201 for a failure, and sends the request again",
			Trips:  []string{"RT-02", "RT-07", "RT-09", "RT-11"},
			Policy: also(answered(http.StatusCreated)),
		},
		{
			Name:   "doubts-an-unkeyed-success",
			Defect: "sends a write without a key a second time, to be sure, after it was done",
			Trips:  []string{"RT-09", "RT-11"},
			Policy: also(both(unkeyedWrite, func(_ steady.Operation, a steady.Attempt) bool { return a.Whole2xx() })),
		},
		{
			Name:   "close-is-failure",
			Defect: "takes a whole reply for cut short when the connection ends right after it",
			Trips:  []string{"RT-11"},
			Policy: mistrustCloses(),
		},
		{
			Name:   "empty-body-on-retry",
			Defect: "reads the body in its first attempt, and sends none in the next",
			Trips:  []string{"RT-09", "RT-14", "ID-07"},
			Policy: onRetries(func(req *http.Request) { rewrite(req, func([]byte) []byte { return nil }) }),
		},
		{
			Name:   "short-body-on-retry",
			Defect: "sends the second half of the body when it begins again",
			Trips:  []string{"RT-09", "RT-14", "ID-07"},
			Policy: onRetries(func(req *http.Request) { rewrite(req, func(b []byte) []byte { return b[len(b)/2:] }) }),
		},
		{
			Name:   "no-content-type-on-retry",
			Defect: "builds the request anew for a retry, and forgets its Content-Type",
			Trips:  []string{"RT-14"},
			Policy: onRetries(func(req *http.Request) { req.Header.Del("Content-Type") }),
		},
		{
			Name:   "counts-in-the-target",
			Defect: "tells the server which attempt it is, in the query",
			Trips:  []string{"RT-14"},
			Policy: onRetries(func(req *http.Request) {
				target := *req.URL
				target.RawQuery += "&retry=1"
				req.URL = &target
			}),
		},
		{
			Name:   "fields-in-another-order",
			Defect: "builds its JSON anew for a retry, and the fields come in another order: the same payload to a server that knows keys, other bytes to all else",
			Trips:  []string{"RT-14"},
			Policy: onRetries(func(req *http.Request) { rewrite(req, sorted) }),
		},
		{
			Name:   "reorders-the-body",
			Defect: "writes its JSON anew for each attempt, with other white space",
			Trips:  []string{"RT-14"},
			Policy: onRetries(func(req *http.Request) {
				rewrite(req, func(b []byte) []byte { return []byte(strings.Replace(string(b), ":", ": ", 1)) })
			}),
		},
	}
}

// sorted is a JSON object with its fields by their names; what is none stays as it is.
func sorted(body []byte) []byte {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return body
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return body
	}
	return text
}

// attempts changes how many there are from what the client says.
func attempts(more int) change {
	return func(p steady.Policy) steady.Policy {
		p.MaxAttempts += more
		return p
	}
}

// Timers of one attempt. The short one leaves room for another attempt within every deadline; the usual one does in those scenarios that end
// in silence and are about what comes after it.
const (
	shortAttempt = 400 * time.Millisecond
	usualAttempt = 3 * time.Second
)

// attemptTimeout gives each attempt a timer of its own.
func attemptTimeout(d time.Duration) change {
	return func(p steady.Policy) steady.Policy {
		p.AttemptTimeout = d
		return p
	}
}

func claimAttemptTimeout(d time.Duration) func(drive.Hello) drive.Hello {
	return claiming(func(c *drive.Claims) { c.AttemptTimeoutMS = int(d / time.Millisecond) })
}

// oneMoreAfter makes an attempt beyond those that are claimed, where the last of them says so.
func oneMoreAfter(yes says) change {
	most := steady.Default().MaxAttempts
	return all(attempts(+1), never(func(o steady.Operation, a steady.Attempt) bool { return o.Attempts == most && !yes(o, a) }))
}

func unkeyedPatch(o steady.Operation, a steady.Attempt) bool {
	return o.Method == http.MethodPatch && unkeyedWrite(o, a)
}
