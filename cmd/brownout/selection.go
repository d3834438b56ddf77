package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/brownout-dev/brownout/suites"
)

// selection is which rules a command is about.
type selection struct {
	patterns []string
	profiles []string
}

func (s *selection) flags(to *pflag.FlagSet, rules string) {
	to.StringSliceVar(&s.patterns, "rules", nil, "ids or patterns of the rules "+rules)
	to.StringSliceVar(&s.profiles, "profile", nil, "only the rules of a profile: basic, polite, safe, isolating or full; polite:aws, polite:grpc: Retry-After as AWS SDKs or gRPC have it")
}

// of gives the selected rules among those of a catalogue, as the profile's variant has them, and the variant.
func (s selection) of(catalogue []suites.Rule) ([]suites.Rule, suites.HintRule, error) {
	rules, err := suites.Select(catalogue, s.patterns)
	if err != nil {
		return nil, "", err
	}
	by, profiles, err := s.parsed()
	if err != nil {
		return nil, "", err
	}
	if len(profiles) > 0 {
		rules = slices.DeleteFunc(slices.Clone(rules), func(r suites.Rule) bool {
			return !slices.ContainsFunc(profiles, func(p suites.Profile) bool { return p.Has(r) })
		})
	}
	if len(rules) == 0 {
		return nil, "", errors.New("--rules, --profile: no rule is in both: want rules of the profile, or one of the two")
	}
	return by.Apply(rules), by, nil
}

// parsed reads the profiles. Only one variant can count.
func (s selection) parsed() (by suites.HintRule, profiles []suites.Profile, err error) {
	for _, word := range s.profiles {
		p, variant, err := suites.ParseProfile(word)
		if err != nil {
			return "", nil, fmt.Errorf("--profile: %w", err)
		}
		profiles = append(profiles, p)
		named := strings.Contains(word, ":")
		if named && by != "" && by != variant {
			return "", nil, fmt.Errorf("--profile: %s and %s: want one word on Retry-After", by, variant)
		}
		if named {
			by = variant
		}
	}
	if by == "" {
		by = suites.ByRFC
	}
	return by, profiles, nil
}

// again is how the variant is said again on a command line; "" where it is the usual one.
func again(by suites.HintRule) string {
	if by == suites.ByRFC {
		return ""
	}
	return fmt.Sprintf("--profile full:%s ", by)
}
