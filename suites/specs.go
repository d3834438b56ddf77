package suites

import (
	"context"
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Describe registers a Ginkgo container with one spec per rule, labelled with its id, family, profile and level. The client is driven once, by do,
// before the first spec; [Run.Do] is the do for a client under go test:
//
//	var _ = suites.Describe("the shop's client", run.Rules, run.Do)
//
// A broken MUST fails its spec. A broken SHOULD passes with a report entry, unless strict. What was not tested, not supported or not
// decided is skipped with the reason, so that a skip is never a pass. So is what a baseline accepts; one that is stale fails.
func Describe(text string, rules []Rule, do func(context.Context) (Judgement, error)) bool {
	return describe(text, rules, do, false)
}

// DescribeStrict is Describe for clients that are held to every SHOULD as well.
func DescribeStrict(text string, rules []Rule, do func(context.Context) (Judgement, error)) bool {
	return describe(text, rules, do, true)
}

func describe(text string, rules []Rule, do func(context.Context) (Judgement, error), strict bool) bool {
	return ginkgo.Describe(text, ginkgo.Ordered, ginkgo.ContinueOnFailure, func() {
		var judgement Judgement
		ginkgo.BeforeAll(func(ctx ginkgo.SpecContext) {
			var err error
			judgement, err = do(ctx)
			gomega.NewWithT(ginkgo.GinkgoT()).Expect(err).NotTo(gomega.HaveOccurred())
		})
		for i, r := range rules {
			labels := ginkgo.Label(string(r.ID), string(r.Family), string(r.Profile), string(r.Level))
			ginkgo.It(string(r.ID)+" "+r.Says, labels, func() { announce(r, judgement.Verdicts[i], strict) })
		}
	})
}

func announce(r Rule, v Verdict, strict bool) {
	if v.Stale != "" {
		ginkgo.Fail(v.Stale)
	}
	if v.Accepted != "" {
		ginkgo.Skip("known, " + string(v.Result) + ": " + v.Accepted)
	}
	switch v.Result {
	case Fail, Broken:
		ginkgo.Fail(failure(r, v))
	case Warn:
		if strict {
			ginkgo.Fail(failure(r, v))
		}
		ginkgo.AddReportEntry("warn", failure(r, v))
	case Observed:
		ginkgo.AddReportEntry("observed", failure(r, v))
	case Unsupported, NotTested, Inconclusive:
		ginkgo.Skip(string(v.Result) + ": " + v.Detail)
	}
}

func failure(r Rule, v Verdict) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %s (%s)\n", v.Result, v.Detail, r.Source)
	for _, f := range v.Findings {
		fmt.Fprintf(&s, "%s %s\n  needed %s\n    seen %s\n", f.Operation, f.Case, f.Needed, f.Seen)
	}
	return s.String()
}
