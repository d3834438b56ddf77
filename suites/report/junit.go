package report

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/reporters"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/brownout-dev/brownout/suites"
)

// failer satisfies RunSpecs, which wants a *testing.T; whether specs failed is in the report.
type failer struct{}

func (failer) Fail() {}

// writeJUnit runs the rules as Ginkgo specs over the verdicts, silently, and has Ginkgo write what CI systems read. A process can
// do it once: Ginkgo's tree of specs is global.
func writeJUnit(dir string, r Report, rules []suites.Rule, j suites.Judgement) error {
	formatter.ColorableStdOut, formatter.ColorableStdErr = io.Discard, io.Discard
	do := func(context.Context) (suites.Judgement, error) { return j, nil }
	describe := suites.Describe
	if r.Strict {
		describe = suites.DescribeStrict
	}
	describe(r.Client.Name, rules, do)
	failed := errors.New("ginkgo did not come to its report")
	ginkgo.ReportAfterSuite("junit", func(report types.Report) {
		part := filepath.Join(dir, unfinished+junitFile)
		report.SuitePath = "" // the folder that brownout was called in
		if failed = reporters.GenerateJUnitReportWithConfig(report, part, junitConfig()); failed == nil {
			failed = os.Rename(part, filepath.Join(dir, junitFile))
		}
	})
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.FailOnEmpty = true
	suite.Timeout = 0
	reporter.Succinct = true
	ginkgo.RunSpecs(failer{}, "brownout", suite, reporter)
	return failed
}

// junitConfig leaves out what is Ginkgo's own business: labels, and the times at which specs were entered.
func junitConfig() reporters.JunitReportConfig {
	return reporters.JunitReportConfig{
		OmitLeafNodeType:          true,
		OmitSpecLabels:            true,
		OmitCapturedStdOutErr:     true,
		OmitTimelinesForSpecState: types.SpecStatePassed | types.SpecStateSkipped | types.SpecStateFailed,
		OmitSuiteSetupNodes:       true,
	}
}
