package steady

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Huge stands for every longer wait a server can ask for: no deadline reaches it, and adding to it does not overflow.
const Huge = 100 * 365 * 24 * time.Hour

// Spread is how far retries after the same hint are spread, so that clients told the same moment do not come back in it.
const Spread = 200 * time.Millisecond

// Patient waits for the longer of the server's hint and the own backoff, with jitter on top of the hint, never below it. Where the hint asks for no
// wait (0, a date that has passed), or there is none that can be read, the own backoff holds.
//
// A hint above the client's cap is honoured while the time left allows it; [Policy.Worth] gives up beyond. It is never shortened.
func Patient(r *rand.Rand, own time.Duration, a Attempt) time.Duration {
	hint, ok := RetryAfter(a.Header, time.Now())
	if !ok || hint <= 0 {
		return own
	}
	return max(hint, own) + between(r, 0, Spread)
}

// RetryAfter reads the wait that a reply asks for: seconds, or an HTTP date in any of its three forms (RFC 9110, 10.2.3 and
// 5.6.7). A date is taken from the reply's own Date, if it has one, so that a wrong clock here does not matter; one that has passed
// gives 0. A number too large for us gives [Huge]. Anything else, two fields as well, is no hint.
func RetryAfter(h http.Header, now time.Time) (wait time.Duration, ok bool) {
	fields := h.Values("Retry-After")
	if len(fields) != 1 {
		return 0, false
	}
	value := strings.TrimSpace(fields[0])
	seconds, err := strconv.ParseUint(value, 10, 64)
	switch {
	case err == nil && seconds < uint64(Huge/time.Second):
		return time.Duration(seconds) * time.Second, true
	case err == nil, errors.Is(err, strconv.ErrRange):
		return Huge, true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if sent, err := http.ParseTime(h.Get("Date")); err == nil {
		now = sent
	}
	return min(max(date.Sub(now), 0), Huge), true
}
