package portrait

import (
	"maps"
	"net/http"
	"slices"

	"github.com/brownout-dev/brownout/fakes/journal"
)

// Keys is whether writes carry an idempotency key, at endpoints that take one.
type Keys struct {
	Writes  int      `json:"writes,omitempty"` // that reached the dependency
	Keyed   int      `json:"keyed,omitempty"`  // their first attempt had a key
	Retried int      `json:"retried,omitempty"`
	Changed int      `json:"changed,omitempty"` // of those retried: another key, or none, in a later attempt
	Headers []string `json:"headers,omitempty"` // in which keys came
}

func keys(e evidence) (k Keys) {
	names := map[string]bool{}
	for _, o := range e.ops {
		if o.KeyHeader == "" || o.Method != http.MethodPost || len(o.Attempts) == 0 {
			continue
		}
		k.Writes++
		for _, a := range o.Attempts {
			if name := carrier(a, e.claims.KeyHeader); name != "" {
				names[name] = true
			}
		}
		if o.Attempts[0].Key == "" {
			continue
		}
		k.Keyed++
		if len(o.Attempts) > 1 {
			k.Retried++
			if len(o.Keys()) > 1 {
				k.Changed++
			}
		}
	}
	k.Headers = slices.Sorted(maps.Keys(names))
	return k
}

// carrier names the header field that an attempt's key came in, which may be the claimed one and not the endpoint's; "" = it had none.
func carrier(a journal.Attempt, claimed string) string {
	for _, name := range slices.Sorted(maps.Keys(a.Header)) {
		if a.Key != "" && slices.Contains(a.Header[name], a.Key) {
			return name
		}
	}
	if a.Header.Get(claimed) != "" {
		return http.CanonicalHeaderKey(claimed)
	}
	return ""
}
