package transcript

import (
	"testing"

	"github.com/brownout-dev/brownout/fakes/journal"
)

func TestLookUpsAreNoAttempts(t *testing.T) {
	for _, row := range []struct {
		asked, target string // of the operation
		sent, at      string // of the second request with its token
		lookUp        bool
		why           string
	}{
		{"POST", "/v1/payments?operation=op-1", "GET", "/v1/payments?reference=op-1", true, "by reference"},
		{"POST", "/v1/payments?operation=op-1", "HEAD", "/v1/payments/pay-1?operation=op-1", true, "of what was made"},
		{"POST", "/v1/payments?operation=op-1", "GET", "/v1/payments?operation=op-1", false, "the write itself, as a GET: a mistake"},
		{"POST", "/v1/payments?operation=op-1", "POST", "/v1/payments?operation=op-1", false, "the write again"},
		{"PUT", "/drafts/1?operation=op-1", "GET", "/drafts/1?operation=op-1", true, "what is there now"},
		{"DELETE", "/drafts/1?operation=op-1", "HEAD", "/drafts/1?operation=op-1", true, "whether it is still there"},
		{"PUT", "/drafts/1?operation=op-1", "DELETE", "/drafts/1?operation=op-1", false, "no read"},
		{"GET", "/v1/catalogue?operation=op-1", "GET", "/v2/catalogue?operation=op-1", false, "a read has nothing to be looked up"},
		{"GET", "/v1/catalogue?operation=op-1", "HEAD", "/v1/catalogue?operation=op-1", false, "nor here"},
	} {
		t.Run(row.sent+" "+row.at+" of "+row.asked, func(t *testing.T) {
			played := Transcript{
				Operations: []Operation{{ID: "op-1", Method: row.asked, Target: row.target}},
				Record: journal.Record{Attempts: []journal.Attempt{
					{Number: 1, Operation: "op-1", Method: row.asked, Target: row.target},
					{Number: 2, Operation: "op-1", Method: row.sent, Target: row.at},
				}},
			}
			op := played.Ops()[0]
			if got := len(op.LookUps) == 1; got != row.lookUp || len(op.Attempts)+len(op.LookUps) != 2 {
				t.Errorf("got %d attempts and %d look-ups, want a look-up %t: %s", len(op.Attempts), len(op.LookUps), row.lookUp, row.why)
			}
		})
	}
}
