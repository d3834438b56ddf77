package clients_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/brownout-dev/brownout/fakes"
	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
	"github.com/brownout-dev/brownout/suites/clients/naive"
	"github.com/brownout-dev/brownout/suites/clients/nethttp"
	"github.com/brownout-dev/brownout/suites/drive"
)

// The clients that people write are held to their own habits, so that what the suite finds in them stays true.

const (
	read    = "GET /v1/catalogue"
	payment = "POST /v1/payments"
	charge  = "POST /v1/legacy/charges"
)

func TestNaive(t *testing.T) {
	tests := []struct {
		name     string
		request  string
		script   string
		attempts int
		effects  int
		outcome  drive.Outcome
		took     time.Duration
		why      string
	}{
		{"success", payment, "[]", 1, 1, drive.OK, 0, "the loop ends with the first success"},
		{"404", read, "{steps: [404], repeat: true}", 1, 0, drive.Failed, 0, "a 4xx is final"},
		{"429", read, "[429, ok]", 2, 0, drive.OK, time.Second, "but for this one"},
		{"503 with a hint", read, "[503 retry-after=30, ok]", 2, 0, drive.OK, time.Second, "it does not look at hints"},
		{"503 for ever", read, "{steps: [503], repeat: true}", 5, 0, drive.Failed, 5 * time.Second, "a second after each try, the last one too"},
		{"reset after the commit", payment, "[reset after-commit, ok]", 2, 2, drive.OK, time.Second, "another key is another payment"},
		{"502 after the commit", charge, "{steps: [502 after-commit], repeat: true}", 5, 5, drive.Failed, 5 * time.Second, "five charges, and it says failed"},
		{"silence", read, "[hold before-commit, ok]", 2, 0, drive.OK, 11 * time.Second, "ten seconds a try, whatever the deadline"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, took, record := ask(t, func(d drive.Dial) client { return naive.New(d) }, tt.request, tt.script)
			if len(record.Attempts) != tt.attempts || len(record.Effects) != tt.effects {
				t.Errorf("got %d attempts, %d effects, want %d and %d: %s", len(record.Attempts), len(record.Effects), tt.attempts, tt.effects, tt.why)
			}
			if got.Outcome != tt.outcome || took != tt.took {
				t.Errorf("got %s (%s) after %v, want %s after %v: %s", got.Outcome, got.Err, took, tt.outcome, tt.took, tt.why)
			}
		})
	}
}

func TestNetHTTP(t *testing.T) {
	tests := []struct {
		name    string
		request string
		script  string
		outcome drive.Outcome
		why     string
	}{
		{"success", payment, "[]", drive.OK, "with a key of its own"},
		{"404", read, "[404]", drive.Failed, "refused"},
		{"503", payment, "[503]", drive.Failed, "not processed, by its own word"},
		{"502 after the commit", payment, "[502 after-commit]", drive.Error, "it does not know"},
		{"reset after the commit", payment, "[reset after-commit]", drive.Error, "nor here: an error of http.Client does not tell"},
		{"truncated", read, "[truncate reply-body]", drive.Error, "io.ReadAll sees the missing bytes"},
		{"silence", read, "[hold before-commit]", drive.Error, "Client.Timeout"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, took, record := ask(t, func(d drive.Dial) client { return nethttp.New(d) }, tt.request, tt.script)
			if len(record.Attempts) != 1 {
				t.Errorf("got %d attempts, want 1 on a fresh connection", len(record.Attempts))
			}
			if got.Outcome != tt.outcome || took > deadline {
				t.Errorf("got %s (%s) after %v, want %s within %v: %s", got.Outcome, got.Err, took, tt.outcome, deadline, tt.why)
			}
		})
	}
}

const deadline = 2 * time.Second

type client interface {
	drive.Client
	CloseIdleConnections()
}

// ask has a fresh client do one operation in virtual time, under a script.
func ask(t *testing.T, make func(drive.Dial) client, request, script string) (got drive.Result, took time.Duration, r journal.Record) {
	t.Helper()
	var s faults.Script
	if err := yaml.Unmarshal([]byte(script), &s); err != nil {
		t.Fatal(err)
	}
	call := drive.Call{
		Operation: "op-5f0c2a9d", Body: []byte(`{"operation":"op-5f0c2a9d","amount":1200,"currency":"EUR"}`), Type: "application/json",
		Deadline: deadline,
	}
	method, path, _ := strings.Cut(request, " ")
	call.Method = method
	switch request {
	case payment:
		call.KeyHeader = "Idempotency-Key"
	case read:
		call.Body, call.Type = nil, ""
	}
	synctest.Test(t, func(t *testing.T) {
		network, clk := wire.NewMemory(), clock.Start()
		f, err := fakes.Start(network, "127.0.0.1:0", fakes.Config{Clock: clk, Plan: faults.Plan{Operations: map[faults.OperationID]faults.Script{call.Operation: s}}})
		if err != nil {
			t.Fatal(err)
		}
		call.URL = f.URL() + path + "?operation=" + string(call.Operation)
		c := make(network.DialContext)
		began := time.Now()
		got = c.Do(context.Background(), call)
		took = time.Since(began)
		c.CloseIdleConnections()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		r = f.Record()
	})
	return got, took, r
}
