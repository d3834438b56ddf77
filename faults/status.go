package faults

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Status answers with a status of its own and any headers. Before the commit it tells the truth: nothing was applied. After the
// commit it is a lie, and the cruellest fault there is: an honest-looking refusal of something that was done.
type Status struct {
	Code       int               `yaml:"code"`
	RetryAfter RetryAfter        `yaml:"retry-after"`
	Headers    map[string]string `yaml:"headers"`
	Body       string            `yaml:"body"`
}

var _ Striker = (*Status)(nil)

func (*Status) Kind() Kind {
	return Kind{
		Name: "status", Main: "code",
		Phases: []Phase{BeforeCommit, Head, AfterCommit},
		Wire:   "a whole reply with that status; after-commit, the effect was applied all the same",
	}
}

func (s *Status) Check() error {
	if s.Code < 200 || s.Code > 599 {
		return errors.New("code: want a final HTTP status, 200 to 599")
	}
	return s.RetryAfter.Check()
}

func (s *Status) String() string {
	words := []string{fmt.Sprint("status ", s.Code)}
	for _, v := range s.RetryAfter {
		words = append(words, fmt.Sprintf("retry-after=%s", v))
	}
	return strings.Join(words, " ")
}

func (s *Status) Strike(x Exchange) Step {
	r := x.Reply()
	*r = Reply{Status: s.Code, Header: http.Header{}, Body: []byte(s.Body)}
	if s.Body == "" {
		r.Header.Set("Content-Type", "application/problem+json")
		r.Body = fmt.Appendf(nil, "{\"title\":%q,\"status\":%d}\n", http.StatusText(s.Code), s.Code)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		r.Header.Set(name, s.Headers[name])
	}
	if len(s.RetryAfter) > 0 {
		r.Header["Retry-After"] = s.RetryAfter.Values(x.Now())
	}
	return Answer
}
