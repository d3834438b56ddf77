package mutants

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

func redirects() []Mutant {
	return []Mutant{
		{
			Name:   "redirect-becomes-get",
			Defect: "follows every redirect of a write with a GET",
			Trips:  []string{"CX-08"},
			Policy: onHops(func(req *http.Request) {
				req.Method = http.MethodGet
				rewrite(req, func([]byte) []byte { return nil })
			}),
		},
		{
			Name:   "empty-behind-a-redirect",
			Defect: "has read its body before the redirect, and sends none behind it",
			Trips:  []string{"CX-08"},
			Policy: onHops(func(req *http.Request) { rewrite(req, func([]byte) []byte { return nil }) }),
		},
		{
			Name:   "new-key-behind-a-redirect",
			Defect: "takes what is behind a redirect for another operation, and makes a key for it",
			Trips:  []string{"CX-08"},
			Policy: onHops(func(req *http.Request) { rekey(req, fresh(req)) }),
		},
		{
			Name:   "no-key-behind-a-redirect",
			Defect: "keeps only the usual headers behind a redirect, and its key is none of them",
			Trips:  []string{"CX-08"},
			Policy: onHops(dropKey),
		},
		{
			Name:   "token-to-strangers",
			Defect: "takes its Authorization along to another origin",
			Trips:  []string{"CX-08"},
			Policy: takingAlong("Authorization"),
		},
		{
			Name:   "cookie-to-strangers",
			Defect: "takes its cookies along to another origin",
			Trips:  []string{"CX-08"},
			Policy: takingAlong("Cookie"),
		},
		{
			Name:   "follows-for-ever",
			Defect: "follows redirects for as long as there is time",
			Trips:  []string{"CX-08"},
			Policy: func(p steady.Policy) steady.Policy {
				p.Hops = 1_000_000
				return p
			},
		},
		{
			Name:   "time-for-each-hop",
			Defect: "gives each hop a second of its own, whatever is left of the operation's time",
			Trips:  []string{"CX-08"},
			Policy: sending(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				if steady.Hop(req.Context()) == 0 {
					return next.RoundTrip(req)
				}
				ctx, cancel := context.WithTimeout(context.WithoutCancel(req.Context()), time.Second)
				time.AfterFunc(time.Second, cancel)
				return next.RoundTrip(req.WithContext(ctx))
			}),
		},
	}
}

// onHops makes an edit of every request behind a redirect.
func onHops(edit func(*http.Request)) change {
	return editing(func(req *http.Request, _ int) {
		if steady.Hop(req.Context()) > 0 {
			edit(req)
		}
	})
}

// takingAlong follows redirects as the reference does, and keeps one header that it would leave behind.
func takingAlong(name string) change {
	return func(p steady.Policy) steady.Policy {
		right := p.Follow
		p.Follow = func(call drive.Call, to *url.URL) drive.Call {
			kept, had := call.Headers[name]
			call = right(call, to)
			if had {
				call.Headers[name] = kept
			}
			return call
		}
		return p
	}
}
