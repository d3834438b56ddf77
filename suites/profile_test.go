package suites

import (
	"slices"
	"strings"
	"testing"
)

func TestParseProfile(t *testing.T) {
	tests := []struct {
		word    string
		profile Profile
		by      HintRule
		refusal string
	}{
		{"polite", Polite, ByRFC, ""},
		{"Full", Full, ByRFC, ""},
		{"polite:aws", Polite, ByAWS, ""},
		{"full:grpc", Full, ByGRPC, ""},
		{"polite:rfc", Polite, ByRFC, ""},
		{"rude", "", "", `profile "rude": want one of basic, polite, safe, isolating, full`},
		{"safe:aws", "", "", `profile "safe:aws": safe has no variants`},
		{"polite:azure", "", "", `profile "polite:azure": want polite:rfc or polite:aws or polite:grpc`},
		{"polite:", "", "", `profile "polite:": want polite:rfc or `},
	}
	for _, tt := range tests {
		t.Run(tt.word, func(t *testing.T) {
			p, by, err := ParseProfile(tt.word)
			if p != tt.profile || by != tt.by || (err != nil) != (tt.refusal != "") || err != nil && !strings.HasPrefix(err.Error(), tt.refusal) {
				t.Errorf("got %q, %q, %v; want %q, %q, %q", p, by, err, tt.profile, tt.by, tt.refusal)
			}
		})
	}
}

func TestEveryRuleIsInAProfile(t *testing.T) {
	for _, r := range Rules() {
		if !slices.Contains(Profiles(), r.Profile) || r.Profile == Full {
			t.Errorf("%s: got profile %q, want one of its own", r.ID, r.Profile)
		}
	}
}

func TestStandings(t *testing.T) {
	catalogue := []Rule{{ID: "A-1", Profile: Basic}, {ID: "A-2", Profile: Basic}, {ID: "B-1", Profile: Polite}}
	tests := []struct {
		name     string
		selected int // how many of the catalogue
		results  []Result
		want     []Standing
		reason   string
	}{
		{"all held", 3, []Result{Pass, Observed, Pass}, []Standing{{Basic, Success, "1 pass, 1 observed"}, {Polite, Success, "1 pass"}, {Full, Success, "2 pass, 1 observed"}}, "a MAY is a fact"},
		{"a MUST", 3, []Result{Pass, Fail, Pass}, []Standing{{Basic, Failure, "1 pass, 1 fail"}, {Polite, Success, "1 pass"}, {Full, Failure, "2 pass, 1 fail"}}, "one is enough"},
		{"a SHOULD", 3, []Result{Pass, Warn, Pass}, []Standing{{Basic, Partial, "1 pass, 1 warn"}, {Polite, Success, "1 pass"}, {Full, Partial, "2 pass, 1 warn"}}, "no MUST is broken"},
		{"not tested", 3, []Result{Pass, NotTested, Unsupported}, []Standing{{Basic, Partial, "1 pass, 1 not-tested"}, {Polite, Untested, "1 unsupported"}, {Full, Partial, "1 pass, 1 unsupported, 1 not-tested"}}, "a skip is no success"},
		{"undecided", 3, []Result{Pass, Inconclusive, Broken}, []Standing{{Basic, Partial, "1 pass, 1 inconclusive"}, {Polite, Untested, "1 error"}, {Full, Partial, "1 pass, 1 inconclusive, 1 error"}}, "nor is a doubt"},
		{"by half", 1, []Result{Pass}, nil, "nothing is said of a profile that was not judged as a whole"},
		{"one whole", 2, []Result{Pass, Pass}, []Standing{{Basic, Success, "2 pass"}}, "the others were not judged"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var verdicts []Verdict
			for i, r := range tt.results {
				verdicts = append(verdicts, Verdict{Rule: catalogue[i].ID, Result: r})
			}
			if got := Standings(catalogue, catalogue[:tt.selected], verdicts); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v: %s", got, tt.want, tt.reason)
			}
		})
	}
}
