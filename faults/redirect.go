package faults

import (
	"net/http"
	"strings"
)

// Redirect sends the client elsewhere: to another path of the same origin, or of the second one. The target keeps the request's own query,
// so that what follows still belongs to its operation. Before the commit nothing was applied, which is what 307 and 308 say (RFC 9110,
// 15.4.8 and 15.4.9).
type Redirect struct {
	Code       int
	To         string // a path
	Origin     Origin
	RetryAfter RetryAfter
}

// Origin is which of a fake's addresses a redirect leads to.
type Origin string

// The origins of a redirect.
const (
	SameOrigin   Origin = "same" // the default
	SecondOrigin Origin = "second"
)

var _ Striker = (*Redirect)(nil)

func (*Redirect) Kind() Kind {
	return Kind{
		Name: "redirect", Main: "code",
		Phases: []Phase{BeforeCommit, Head, AfterCommit},
		Wire:   "a whole reply that leads elsewhere; after-commit, the effect was applied all the same",
	}
}

func (r *Redirect) Fields() []Field {
	return []Field{
		{Name: "code", Wants: "301, 302, 303, 307 or 308", Value: aboveZero{numberOf(&r.Code)}},
		{Name: "to", Wants: "a path without query, such as /v1/other", Value: textOf(&r.To)},
		{Name: "origin", Wants: "same (the default) or second", Value: textOf(&r.Origin)},
		{Name: "retry-after", Wants: retryAfterWants, Value: &r.RetryAfter, Shape: List},
	}
}

func (r *Redirect) Check() error {
	switch r.Code {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return unfit(r, "code")
	}
	switch {
	case !isPath(r.To):
		return unfit(r, "to")
	case r.Origin != "" && r.Origin != SameOrigin && r.Origin != SecondOrigin:
		return unfit(r, "origin")
	case !r.RetryAfter.sendable():
		return unfit(r, "retry-after")
	}
	return nil
}

// isPath tells whether text can be put before a query as it is.
func isPath(text string) bool {
	strange := func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`?#"\<>^{|}`+"`", c) }
	return strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && !strings.ContainsFunc(text, strange)
}

func (r *Redirect) String() string { return spell(r) }

func (r *Redirect) Strike(x Exchange) Step {
	toHead := x.Reply().ToHead
	*x.Reply() = Reply{Status: r.Code, Header: http.Header{"Location": {x.Elsewhere(r.To, r.Origin == SecondOrigin)}}, ToHead: toHead}
	if len(r.RetryAfter) > 0 {
		x.Reply().Header["Retry-After"] = r.RetryAfter.Values(x.Now())
	}
	return Answer
}

// AnotherOrigin tells whether an attempt may be led to the second origin.
func (s Script) AnotherOrigin() bool {
	for _, step := range s.Steps {
		for _, f := range step {
			if r, ok := f.Action.(*Redirect); ok && r.Origin == SecondOrigin {
				return true
			}
		}
	}
	return false
}
