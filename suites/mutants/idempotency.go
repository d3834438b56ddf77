package mutants

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func idempotency() []Mutant {
	return []Mutant{
		{
			Name:   "no-key",
			Defect: "repeats writes as if they carried a key, and sends none",
			Trips:  []string{"ID-01", "ID-04", "ID-05"},
			Policy: editing(func(req *http.Request, _ int) { dropKey(req) }),
		},
		{
			Name:   "key-from-the-retry-on",
			Defect: "makes its key when it first needs one: for the second attempt",
			Trips:  []string{"RT-14", "ID-01", "ID-02", "ID-04", "ID-05", "CX-03"},
			Policy: editing(func(req *http.Request, try int) {
				if try == 1 {
					dropKey(req)
				}
			}),
		},
		{
			Name:   "key-per-attempt",
			Defect: "makes its key inside the loop",
			Trips:  []string{"RT-03", "RT-14", "ID-02", "ID-04", "ID-05", "ID-10"},
			Policy: onRetries(func(req *http.Request) { rekey(req, fresh(req)) }),
		},
		{
			Name:   "new-key-for-the-last-try",
			Defect: "makes a new key for its last attempt, to get past whatever is wrong with the old one",
			Trips:  []string{"ID-02", "ID-05", "ID-08", "ID-10"},
			Policy: editing(func(req *http.Request, try int) {
				if try == steady.Default().MaxAttempts {
					rekey(req, fresh(req))
				}
			}),
		},
		{
			Name:   "new-key-after-cut-chunks",
			Defect: "makes a new key where a reply in chunks was cut short",
			Trips:  []string{"ID-05"},
			Policy: newKeyAfterCutChunks,
		},
		{
			Name:   "new-key-after-a-timeout",
			Defect: "makes a new key after an attempt that its own timer has ended, and only then",
			Trips:  []string{"ID-02", "ID-05"},
			Policy: all(attemptTimeout(shortAttempt), rekeyingAfter(timedOut)),
			Hello:  claimAttemptTimeout(shortAttempt),
		},
		{
			Name:   "new-key-after-429",
			Defect: "makes a new key after a 429, and only then",
			Trips:  []string{"ID-02"},
			Policy: rekeyingAfter(told(http.StatusTooManyRequests)),
		},
		{
			Name:   "new-key-after-425",
			Defect: "makes a new key after a 425, and only then",
			Trips:  []string{"ID-02"},
			Policy: rekeyingAfter(told(http.StatusTooEarly)),
		},
		{
			Name:   "new-key-after-504",
			Defect: "makes a new key after a 504, and only then",
			Trips:  []string{"RT-03", "ID-05"},
			Policy: rekeyingAfter(told(http.StatusGatewayTimeout)),
		},
		{
			Name:   "forgets-at-a-503",
			Defect: "says failed when its last attempt was answered 503, though the reply to an earlier one was lost",
			Trips:  []string{"ID-05"},
			Policy: failedAfter(http.StatusServiceUnavailable),
		},
		{
			Name:   "forgets-at-a-429",
			Defect: "says failed when its last attempt was answered 429, though the reply to an earlier one was lost",
			Trips:  []string{"ID-05"},
			Policy: failedAfter(http.StatusTooManyRequests),
		},
		{
			Name:   "failed-after-504",
			Defect: "says failed after a 504",
			Trips:  []string{"ID-05"},
			Policy: failedAfter(http.StatusGatewayTimeout),
		},
		{
			Name:   "patch-is-failed",
			Defect: "says failed of a PATCH that was not answered well",
			Trips:  []string{"RT-08", "ID-05"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if o.Method == http.MethodPatch && !a.Whole2xx() {
					return drive.Failed
				}
				return steady.Outcome(o, a)
			}),
		},
		{
			Name:   "key-of-the-attempt",
			Defect: "appends the attempt's number to its key",
			Trips:  []string{"RT-03", "RT-14", "ID-02", "ID-04", "ID-05", "ID-10"},
			Policy: editing(func(req *http.Request, try int) {
				rekey(req, keyOf(req)+"-"+strconv.Itoa(try))
			}),
		},
		{
			Name:   "one-key-for-all",
			Defect: "sends every operation with one key",
			Trips:  []string{"ID-03", "ID-13"},
			Policy: keys(func() func(*rand.Rand) string {
				return func(*rand.Rand) string { return "8a0b4f0e-33d5-4c1c-9f0e-6d4ad1c0f5a2" }
			}),
		},
		{
			Name:   "key-of-the-clock",
			Defect: "takes the time for its key, to the millisecond",
			Trips:  []string{"ID-03", "ID-13"},
			Policy: keys(func() func(*rand.Rand) string {
				return func(*rand.Rand) string { return strconv.FormatInt(time.Now().UnixMilli(), 10) }
			}),
		},
		{
			Name:   "key-of-a-counter",
			Defect: "counts its operations for their keys, from one in each process",
			Trips:  []string{"ID-03", "ID-13"},
			Policy: keys(func() func(*rand.Rand) string {
				var n atomic.Int64
				return func(*rand.Rand) string { return "order-" + strconv.FormatInt(n.Add(1), 10) }
			}),
		},
		{
			Name:   "short-keys",
			Defect: "makes keys of sixteen random bits",
			Trips:  []string{"ID-13"},
			Policy: keys(func() func(*rand.Rand) string {
				return func(r *rand.Rand) string { return fmt.Sprintf("%04x", r.Uint64()&0xffff) }
			}),
		},
		{
			Name:   "drops-its-key",
			Defect: "sends its key once, since a key can be used only once",
			Trips:  []string{"RT-14", "ID-02", "ID-04", "ID-05", "ID-10", "CX-03"},
			Policy: onRetries(dropKey),
		},
		{
			Name:   "lost-is-failed",
			Defect: "says failed when the reply is lost",
			Trips:  []string{"RT-08", "ID-05", "ID-08", "ID-10", "ID-12", "ID-14", "CN-03"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if a.Whole2xx() {
					return drive.OK
				}
				return drive.Failed
			}),
		},
		{
			Name:   "sent-is-done",
			Defect: "says ok when the reply is lost, since the request was sent",
			Trips:  []string{"DL-06", "RT-08", "CX-03", "CN-03", "OC-01"},
			Policy: telling(func(o steady.Operation, a steady.Attempt) drive.Outcome {
				if a.Err != nil && a.Status == 0 && a.Sent {
					return drive.OK
				}
				return steady.Outcome(o, a)
			}),
		},
		{
			Name:   "counts-in-the-body",
			Defect: "writes the attempt's number into the body",
			Trips:  []string{"RT-14", "ID-07"},
			Policy: editing(func(req *http.Request, try int) { stamp(req, fmt.Appendf(nil, `{"attempt":%d,`, try)) }),
		},
		{
			Name:   "counts-from-the-third-attempt",
			Defect: "writes the attempt's number into the body when it becomes alarming",
			Trips:  []string{"ID-07"},
			Policy: editing(func(req *http.Request, try int) {
				if try > 2 {
					stamp(req, fmt.Appendf(nil, `{"attempt":%d,`, try))
				}
			}),
		},
		{
			Name:   "time-in-the-body",
			Defect: "writes the time of sending into the body",
			Trips:  []string{"RT-14", "ID-07", "CX-08"},
			Policy: editing(func(req *http.Request, _ int) {
				stamp(req, fmt.Appendf(nil, `{"sent":%q,`, time.Now().Format(time.RFC3339Nano)))
			}),
		},
	}
}

// keys replaces what makes keys; it is made once for each client.
func keys(make func() func(*rand.Rand) string) change {
	return func(p steady.Policy) steady.Policy {
		p.Key = make()
		return p
	}
}

// telling replaces what the caller is told.
func telling(outcome func(steady.Operation, steady.Attempt) drive.Outcome) change {
	return func(p steady.Policy) steady.Policy {
		p.Outcome = outcome
		return p
	}
}

// fresh is another key for each attempt of the request, and the same in each play.
func fresh(req *http.Request) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", keyOf(req), steady.Try(req.Context())))
	return hex.EncodeToString(sum[:16])
}

// stamp puts a member at the beginning of the request's JSON object.
func stamp(req *http.Request, member []byte) {
	rewrite(req, func(body []byte) []byte {
		if rest, ok := bytes.CutPrefix(body, []byte("{")); ok {
			return append(member, rest...)
		}
		return body
	})
}
