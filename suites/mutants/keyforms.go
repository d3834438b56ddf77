package mutants

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/brownout-dev/brownout/suites/clients/steady"
)

func keyForms() []Mutant {
	return []Mutant{
		{
			Name:   "prefixes-given-keys",
			Defect: "puts its own name before every key, also before its caller's",
			Trips:  []string{"ID-04"},
			Policy: editing(func(req *http.Request, _ int) {
				if key := keyOf(req); key != "" {
					rekey(req, "shop-"+key)
				}
			}),
		},
		{
			Name:   "shortens-keys",
			Defect: "cuts every key to the 24 characters that its own table has room for",
			Trips:  []string{"ID-04"},
			Policy: editing(func(req *http.Request, _ int) {
				if key := keyOf(req); len(key) > 24 {
					rekey(req, key[:24])
				}
			}),
		},
		{
			Name:   "counts-its-keys",
			Defect: "numbers its keys from the start of the process",
			Trips:  []string{"ID-13"},
			Policy: func(p steady.Policy) steady.Policy {
				var n atomic.Int64
				p.Key = func(r *rand.Rand) string {
					return strconv.FormatUint(r.Uint64()>>40, 36) + "-" + strconv.FormatInt(n.Add(1), 10)
				}
				return p
			},
		},
		{
			Name:   "names-its-user",
			Defect: "makes its keys of its user's address and random bits",
			Trips:  []string{"ID-13"},
			Policy: func(p steady.Policy) steady.Policy {
				right := p.Key
				p.Key = func(r *rand.Rand) string { return strings.ReplaceAll(right(r), "-", "") + "@example.com" }
				return p
			},
		},
	}
}
