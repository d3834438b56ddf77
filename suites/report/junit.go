package report

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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
		report.SuitePath = "" // the folder that brownout was called in
		failed = r.rewriteJUnit(dir, func(part string) error {
			return reporters.GenerateJUnitReportWithConfig(report, part, junitConfig())
		})
	})
	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.FailOnEmpty = true
	suite.Timeout = 0
	reporter.Succinct = true
	ginkgo.RunSpecs(failer{}, "brownout", suite, reporter)
	return failed
}

// rewriteJUnit puts what is known of the run into the place of Ginkgo's own settings, which are nobody's business here.
func (r Report) rewriteJUnit(dir string, generate func(part string) error) error {
	part := filepath.Join(dir, unfinished+junitFile)
	if err := generate(part); err != nil {
		return err
	}
	text, err := os.ReadFile(part)
	if err != nil {
		return err
	}
	var all reporters.JUnitTestSuites
	if err := xml.Unmarshal(text, &all); err != nil {
		return err
	}
	property := func(name, value string) reporters.JUnitProperty {
		return reporters.JUnitProperty{Name: name, Value: value}
	}
	for i := range all.TestSuites {
		all.TestSuites[i].Properties.Properties = []reporters.JUnitProperty{
			property("client", r.Client.Name), property("seed", fmt.Sprint(r.Seed)), property("runs", fmt.Sprint(r.Runs)),
			property("verdict", string(r.Verdict)), property("brownout", r.Tool.Version),
		}
	}
	for _, suite := range all.TestSuites {
		for _, c := range suite.TestCases {
			if c.Failure != nil { // without the place in this tool's own code
				c.Failure.Description = c.Failure.Message
				c.Failure.Message, _, _ = strings.Cut(c.Failure.Message, "\n")
			}
		}
	}
	if text, err = xml.MarshalIndent(all, "", "  "); err != nil {
		return err
	}
	whole := writeWhole(filepath.Join(dir, junitFile), func(w io.Writer) error {
		_, err := io.WriteString(w, xml.Header+string(escaped(text))+"\n")
		return err
	})
	return errors.Join(whole, os.Remove(part))
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
