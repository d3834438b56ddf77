package steady

import (
	"errors"
	"net/http"
)

// Pushback is the header in which a service says whether another attempt can help. "false" forbids one; nothing else makes one allowed.
const Pushback = "X-Should-Retry"

// Retryable is the table of what may be sent again:
//
//	the circuit breaker is open              never: it would be refused again
//	no connection was had                    whatever the method
//	the body can be read once                never after that: what is left of it is not the request
//	reset, closed, cut short, timed out      where it is repeatable
//	a reply that forbids it (Pushback)       never
//	425 429 502 503 504                      where it is repeatable
//	409                                      where an attempt with this key may still be running
//	any other reply                          never: 4xx is for the caller, and 500 may be a saved answer
func Retryable(o Operation, a Attempt) bool {
	switch {
	case errors.Is(a.Err, ErrOpen), o.Once && a.Sent:
		return false
	case a.Err != nil:
		return !a.Sent || o.Repeatable()
	case a.Header.Get(Pushback) == "false":
		return false
	}
	switch a.Status {
	case http.StatusTooEarly, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return o.Repeatable()
	case http.StatusConflict:
		return o.Key != "" && o.Doubt
	}
	return false
}
