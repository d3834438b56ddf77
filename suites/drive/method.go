package drive

import "net/http"

// safe tells whether a method asks for no change of state: nothing is "unknown" about it (RFC 9110, 9.2.1).
func safe(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// wantsKey tells whether a repeated request could be applied twice, so that a key has a purpose (RFC 9110, 9.2.2).
func wantsKey(method string) bool {
	return !safe(method) && method != http.MethodPut && method != http.MethodDelete
}
