# make help lists the targets. Go is all that is needed; everything else comes with the module.

GO ?= go
# The linter's version is pinned here and nowhere else.
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# What a machine that is busy with other things may need for one package.
TEST_TIMEOUT = 20m

.PHONY: help build demo test bench alarms lint fmt docs

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

build: ## build bin/brownout
	$(GO) build -o bin/brownout ./cmd/brownout

demo: build ## judge a correct client and a naive one, and show the difference
	@./cmd/brownout/demo.sh bin/brownout

# What plays hundreds of clients in virtual time, all of it computing, is run without the race detector: the references are run with it.
MATRIX := ^(TestKillMatrix|TestVariantsAreNotMutants)$$

test: ## run all tests: under the race detector, and then the kill matrix
	$(GO) test -race -timeout $(TEST_TIMEOUT) -skip '$(MATRIX)' ./...
	$(GO) test -timeout $(TEST_TIMEOUT) -run '$(MATRIX)' ./suites

bench: ## measure, in five minutes: throughput beside net/http, Toxiproxy and WireMock; delays; virtual time; memory; a run beside its plays
	$(GO) run ./fakes/bench
	$(GO) test ./suites -run '^$$' -bench BenchmarkRun -benchtime 1x

alarms: ## judge correct clients 200 times in virtual time and 20 times in real time, half of these on a busy machine: half an hour
	$(GO) test ./suites -run '^TestNoFalseAlarm$$' -timeout 2h -count 1 -v -virtual 200 -real 20 -busy 10

lint: ## gofmt, go vet, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'not formatted: make fmt'; exit 1; }
	$(GO) vet ./...
	$(STATICCHECK) ./...

fmt: ## format the code
	gofmt -w .

docs: ## write the generated parts of the docs again
	$(GO) test ./faults ./suites ./suites/clients -run Docs -update
