package fakes

import (
	"net/http"
	"strings"
	"sync"
)

// access knows which callers were turned out. A bearer token is a caller of its own, any other Authorization too, and requests without one come from the
// caller "". It is safe for concurrent use.
type access struct {
	mu      sync.Mutex
	revoked map[string]bool
}

// callerOf names the caller of a request (RFC 6750, 2.1).
func callerOf(r *http.Request) string {
	credentials := r.Header.Get("Authorization")
	if scheme, token, ok := strings.Cut(credentials, " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return credentials
}

func (a *access) revoke(caller string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.revoked == nil {
		a.revoked = map[string]bool{}
	}
	a.revoked[caller] = true
}

func (a *access) allows(caller string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !a.revoked[caller]
}
