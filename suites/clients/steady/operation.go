package steady

import "net/http"

// Operation is what a policy may know of the operation that it decides about.
type Operation struct {
	Method   string
	Key      string // the idempotency key it is sent with; empty: it has none, or the endpoint knows none
	Given    bool   // the caller handed the key over, so the operation may be running elsewhere
	Once     bool   // its body can be read once
	Attempts int    // made so far
	Doubt    bool   // one of them may have been applied, or is still running
}

// Safe tells whether the method asks for no effect (RFC 9110, 9.2.1).
func (o Operation) Safe() bool {
	switch o.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// Repeatable tells whether sending the request twice does no more than sending it once: by its method (RFC 9110, 9.2.2) or by its key.
func (o Operation) Repeatable() bool {
	return o.Safe() || o.Method == http.MethodPut || o.Method == http.MethodDelete || o.Key != ""
}

// takesKey tells whether the client makes a key for the method, where the endpoint knows one.
func takesKey(method string) bool { return method == http.MethodPost || method == http.MethodPatch }
