package mutants

import (
	"bytes"
	"io"
	"net/http"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// recovery gives the mutants that draw the wrong conclusion from what a key, or a repeat, is answered with.
func recovery() []Mutant {
	return []Mutant{
		{
			Name:   "escapes-a-conflict",
			Defect: "takes a new key when the server knows the old one from another payload",
			Trips:  []string{"ID-06"},
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				reply, err := next.RoundTrip(req)
				if err != nil || !conflicts(peek(reply)) {
					return reply, err
				}
				reply.Body.Close()
				again := req.Clone(req.Context())
				again.Body, _ = req.GetBody() // from memory: it does not fail
				rekey(again, fresh(req)+"-2")
				return next.RoundTrip(again)
			}),
		},
		{
			Name:   "insists-on-the-callers-key",
			Defect: "retries a 422, but only with the key that its caller handed over",
			Trips:  []string{"ID-06"},
			Policy: also(both(answered(http.StatusUnprocessableEntity), func(o steady.Operation, _ steady.Attempt) bool { return o.Given })),
		},
		{
			Name:   "retries-a-key-error",
			Defect: "retries a 400 that speaks of its key",
			Trips:  []string{"ID-06"},
			Policy: also(both(answered(http.StatusBadRequest), func(_ steady.Operation, a steady.Attempt) bool { return conflicts(a.Body) })),
		},
		{
			Name:   "stops-at-a-conflict",
			Defect: "does not ask again after a 409",
			Trips:  []string{"ID-08"},
			Policy: never(answered(http.StatusConflict)),
		},
		{
			Name:   "conflict-is-failed",
			Defect: "says failed after a 409",
			Trips:  []string{"ID-08", "ID-14"},
			Policy: failedAfter(http.StatusConflict),
		},
		{
			Name:   "new-key-after-a-conflict",
			Defect: "takes a new key after a 409",
			Trips:  []string{"ID-08"},
			Policy: rekeyingAfter(told(http.StatusConflict)),
		},
		{
			Name:   "new-key-after-500",
			Defect: "retries a 500 with a new key, since the old one is burnt",
			Trips:  []string{"ID-10"},
			Policy: all(also(both(keyed, answered(http.StatusInternalServerError))), rekeyingAfter(told(http.StatusInternalServerError))),
		},
		{
			Name:   "new-key-after-a-replayed-error",
			Defect: "takes a new key when the server says that it replays an error",
			Trips:  []string{"ID-10"},
			Policy: all(also(func(_ steady.Operation, a steady.Attempt) bool { return a.Status/100 == 5 && replayed(a.Header) }), rekeyingAfter(toldAgain)),
		},
		{
			Name:   "saved-error-is-failed",
			Defect: "says failed after a 500",
			Trips:  []string{"ID-10"},
			Policy: failedAfter(http.StatusInternalServerError),
		},
		{
			Name:   "outlives-its-key",
			Defect: "knows how long a key is kept, and does not look at the time",
			Trips:  []string{"ID-11"},
			Policy: keyRetention(0),
			Hello:  claimKeyRetention(time.Second),
		},
		{
			Name:   "trusts-its-key-too-long",
			Defect: "takes a key to be kept for three times as long as it is",
			Trips:  []string{"ID-11"},
			Policy: keyRetention(3 * time.Second),
			Hello:  claimKeyRetention(time.Second),
		},
		{
			Name:   "goes-on-after-403",
			Defect: "retries a 403 after a lost reply, since the first attempt was let in",
			Trips:  []string{"ID-12"},
			Policy: also(both(answered(http.StatusForbidden), func(o steady.Operation, _ steady.Attempt) bool { return o.Doubt })),
		},
		{
			Name:   "goes-on-after-401",
			Defect: "retries a 401 after a lost reply, since the first attempt was let in",
			Trips:  []string{"ID-12"},
			Policy: also(both(answered(http.StatusUnauthorized), func(o steady.Operation, _ steady.Attempt) bool { return o.Doubt })),
		},
		{
			Name:   "denied-is-failed",
			Defect: "says failed after a 401 or 403, whatever was lost before",
			Trips:  []string{"ID-12"},
			Policy: failedAfter(http.StatusUnauthorized, http.StatusForbidden),
		},
		{
			Name:   "absent-is-failed",
			Defect: "says failed after a 404, though it may have deleted the thing itself",
			Trips:  []string{"ID-14"},
			Policy: failedAfter(http.StatusNotFound),
		},
		{
			Name:   "gone-is-failed",
			Defect: "says failed after a 410, though it may have deleted the thing itself",
			Trips:  []string{"ID-14"},
			Policy: failedAfter(http.StatusGone),
		},
		{
			Name:   "there-already-is-failed",
			Defect: "says failed after a 412, though it may have made the thing itself",
			Trips:  []string{"ID-14"},
			Policy: failedAfter(http.StatusPreconditionFailed),
		},
	}
}

func keyed(o steady.Operation, _ steady.Attempt) bool { return o.Key != "" }

func replayed(h http.Header) bool { return h.Get("Idempotent-Replayed") == "true" }

// conflicts tells whether a problem says that the key is known from another payload.
func conflicts(problem []byte) bool {
	return bytes.Contains(problem, []byte("used with another payload")) || bytes.Contains(problem, []byte("same parameters"))
}

// peek reads a reply's body, which is left to be read again.
func peek(reply *http.Response) []byte {
	if reply.StatusCode/100 == 2 {
		return nil
	}
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil
	}
	reply.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// failedAfter says failed after these statuses, and what the reference says after all others.
func failedAfter(status ...int) change {
	return telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
		if answered(status...)(o, a) {
			return drive.Failed
		}
		return steady.Outcome(o, a)
	})
}

func keyRetention(d time.Duration) change {
	return func(p steady.Policy) steady.Policy {
		p.KeyRetention = d
		return p
	}
}

func claimKeyRetention(d time.Duration) func(drive.Hello) drive.Hello {
	return claiming(func(c *drive.Claims) { c.KeyRetentionMS = int(d / time.Millisecond) })
}
