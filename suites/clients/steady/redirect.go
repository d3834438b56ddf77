package steady

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/brownout-dev/brownout/suites/drive"
)

// Hops is how many redirects one attempt follows by default, as many as net/http's own client.
const Hops = 10

// elsewhere is where a reply leads the request: only 307 and 308 say that nothing was applied, and that it is to be sent again as it is
// (RFC 9110, 15.4.8 and 15.4.9).
func elsewhere(from string, a Attempt) (to *url.URL, ok bool) {
	if a.Err != nil || a.Status != http.StatusTemporaryRedirect && a.Status != http.StatusPermanentRedirect {
		return nil, false
	}
	base, err := url.Parse(from)
	if err != nil {
		return nil, false
	}
	to, err = base.Parse(a.Header.Get("Location"))
	return to, err == nil && a.Header.Get("Location") != "" && (to.Scheme == "http" || to.Scheme == "https") && to.Host != ""
}

// Follow is the call as a redirect has it sent again: the same method, body and key, in another place. Another origin is not given what
// the caller entrusted to the first, nor is any place after it (RFC 9110, 15.4).
func Follow(call drive.Call, to *url.URL) drive.Call {
	if from, err := url.Parse(call.URL); err != nil || from.Scheme != to.Scheme || from.Host != to.Host {
		call.Headers = maps.Clone(call.Headers)
		maps.DeleteFunc(call.Headers, func(name, _ string) bool {
			return slices.Contains([]string{"Authorization", "Cookie", "Proxy-Authorization"}, http.CanonicalHeaderKey(name))
		})
	}
	call.URL = to.String()
	return call
}
