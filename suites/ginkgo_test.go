package suites_test

import (
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/lab"
)

// This is all that a Go client's own tests need: the rules as Ginkgo specs, over loopback.
func TestRulesAsGinkgoSpecs(t *testing.T) {
	gomega.RegisterFailHandler(ginkgo.Fail)
	rules, err := suites.Select(suites.Rules(), []string{"RT-01", "CX-01"})
	if err != nil {
		t.Fatal(err)
	}
	run := suites.Run{Lab: lab.Real(clients.Steady(steady.Default()), 1), Rules: rules}
	suites.Describe("the reference client", rules, run.Do)

	suite, reporter := ginkgo.GinkgoConfiguration()
	suite.FailOnEmpty = true
	reporter.Succinct = true
	ginkgo.RunSpecs(t, "conformance", suite, reporter)
}
