package steady

import (
	"net/http"

	"github.com/brownout-dev/brownout/suites/drive"
)

// Outcome says ok only after a whole 2xx, and unknown only where the operation may have been applied: a doubt that an earlier attempt left
// is not resolved by a later refusal. An operation that asks for no effect has simply failed.
func Outcome(o Operation, a Attempt) drive.Outcome {
	switch {
	case a.Whole2xx():
		return drive.OK
	case o.Doubt && !o.Safe():
		return drive.Unknown
	}
	return drive.Failed
}

// doubtful tells whether the operation may have been applied by an attempt, or may yet be.
//
// A 503 or 429 is taken at its word (RFC 9110, 15.6.4; RFC 6585, 4): not processed. 502 and 504 speak for a gateway and not for the
// service, a 500 may come after the effect, and 303 says that it did; 307 and 308 only point elsewhere.
func doubtful(o Operation, a Attempt) bool {
	if a.Err != nil {
		return a.Sent
	}
	switch a.Status {
	case http.StatusConflict:
		return o.Given
	case http.StatusNotImplemented, http.StatusServiceUnavailable, http.StatusHTTPVersionNotSupported,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return false
	}
	return a.Status/100 == 3 || a.Status/100 == 5
}
