package suites

import (
	"fmt"
	"slices"
	"strings"
)

// Full is every profile together.
const Full Profile = "full"

// Profiles lists the profiles, in the order in which a client grows into them.
func Profiles() []Profile { return []Profile{Basic, Polite, Safe, Isolating, Full} }

// ParseProfile reads "polite", or "polite:aws" where another specification's word on Retry-After is to count.
func ParseProfile(word string) (Profile, HintRule, error) {
	name, by, named := strings.Cut(word, ":")
	p, h := Profile(strings.ToLower(name)), HintRule(strings.ToLower(by))
	switch {
	case !slices.Contains(Profiles(), p):
		return "", "", fmt.Errorf("profile %q: want one of %s", word, joined(Profiles()))
	case !named:
		return p, ByRFC, nil
	case p != Polite && p != Full:
		return "", "", fmt.Errorf("profile %q: %s has no variants: want one of %s", word, p, joined(Profiles()))
	case !slices.Contains(HintRules(), h):
		return "", "", fmt.Errorf("profile %q: want %s:%s", word, p, strings.Join(strings.Split(joined(HintRules()), ", "), fmt.Sprintf(" or %s:", p)))
	}
	return p, h, nil
}

func joined[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = string(w)
	}
	return strings.Join(texts, ", ")
}

// Has tells whether a rule belongs to the profile.
func (p Profile) Has(r Rule) bool { return p == Full || r.Profile == p }

// Grade is what a run says of one profile.
type Grade string

const (
	// Success: every rule of the profile was put to the test, and held. What a MAY showed is no matter.
	Success Grade = "success"
	// Partial: no MUST is broken, but a SHOULD is, or some rules were not put to the test or not decided.
	Partial Grade = "partial"
	// Failure: a MUST is broken.
	Failure Grade = "failure"
	// Untested: no rule of the profile was put to the test. A client that never retries is not partly polite.
	Untested Grade = "not-tested"
)

// Standing is how a client stands to one profile, and why.
type Standing struct {
	Profile Profile `json:"profile"`
	Grade   Grade   `json:"grade"`
	Detail  string  `json:"detail"` // how many of its rules had which result
}

// Standings grades the profiles of which all rules were selected: of a profile that was judged by half there is nothing to say. Full is graded
// where all others are.
func Standings(catalogue, selected []Rule, verdicts []Verdict) (all []Standing) {
	for _, p := range Profiles() {
		n, whole := map[Result]int{}, true
		for _, r := range catalogue {
			i := slices.IndexFunc(selected, func(s Rule) bool { return s.ID == r.ID })
			switch {
			case !p.Has(r):
			case i < 0:
				whole = false
			default:
				n[verdicts[i].Result]++
			}
		}
		if whole && len(n) > 0 {
			all = append(all, Standing{p, grade(n), counted(n)})
		}
	}
	return all
}

func grade(n map[Result]int) Grade {
	held := n[Pass] + n[Observed]
	total := 0
	for _, m := range n {
		total += m
	}
	switch {
	case n[Fail] > 0:
		return Failure
	case held == total:
		return Success
	case held+n[Warn] == 0:
		return Untested
	}
	return Partial
}

// counted tells how many rules had which result.
func counted(n map[Result]int) string {
	var words []string
	for _, r := range Results() {
		if n[r] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[r], r))
		}
	}
	return strings.Join(words, ", ")
}
