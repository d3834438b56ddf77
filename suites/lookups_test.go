package suites_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/clients/steady"
	"github.com/brownout-dev/brownout/suites/drive"
)

// A client that looks up what became of a write, where it does not know, may say ok on the strength of that; one that says ok without a
// look may not.
func TestLookingUp(t *testing.T) {
	for _, row := range []struct {
		name  string
		looks bool
		want  map[suites.RuleID]suites.Result
	}{
		{"by a look-up", true, map[suites.RuleID]suites.Result{"ID-08": suites.Pass, "ID-10": suites.Pass, "ID-12": suites.Pass, "ID-14": suites.Pass}},
		{"by guessing", false, map[suites.RuleID]suites.Result{"ID-08": suites.Warn, "ID-10": suites.Fail, "ID-12": suites.Fail, "ID-14": suites.Pass}},
	} {
		t.Run(row.name, func(t *testing.T) {
			carrier := drive.Go(steady.Hello(), func(dial drive.Dial) drive.Client {
				return finding{steady.New(dial, steady.Default()), row.looks}
			})
			rules := slices.DeleteFunc(suites.Rules(), func(r suites.Rule) bool { _, judged := row.want[r.ID]; return !judged })
			for i, v := range judgeVirtually(t, carrier, 1, rules).Verdicts {
				if got, want := v.Result, row.want[rules[i].ID]; got != want {
					t.Errorf("%s: got %s (%s), want %s", v.Rule, got, v.Detail, want)
				}
			}
		})
	}
}

// finding is the reference, but for one thing: where it does not know whether a write was applied, it finds it in the dependency, or acts
// as if it had.
type finding struct {
	*steady.Client
	looks bool
}

func (f finding) Do(ctx context.Context, call drive.Call) drive.Result {
	told := f.Client.Do(ctx, call)
	if told.Outcome != drive.Unknown {
		return told
	}
	if f.looks {
		look := call
		look.Method, look.Body, look.Type, look.KeyHeader = http.MethodGet, nil, "", ""
		if call.Method == http.MethodPost || call.Method == http.MethodPatch {
			look.URL = strings.Replace(call.URL, "?", "?reference="+string(call.Operation)+"&", 1)
		}
		if f.Client.Do(ctx, look).Outcome != drive.OK {
			return told
		}
	}
	told.Outcome = drive.OK
	return told
}

// A client that looks a write up where others would send it again is not blamed for what it does not send.
func TestLookingUpInsteadOfRetrying(t *testing.T) {
	carrier := drive.Go(steady.Hello(), func(dial drive.Dial) drive.Client {
		p := steady.Default()
		right := p.Retryable
		p.Retryable = func(o steady.Operation, a steady.Attempt) bool {
			return right(o, a) && (o.Safe() || a.Status != http.StatusBadGateway && a.Status != http.StatusGatewayTimeout)
		}
		return finding{steady.New(dial, p), true}
	})
	rules := slices.DeleteFunc(suites.Rules(), func(r suites.Rule) bool { return r.ID != "RT-03" })
	if v := judgeVirtually(t, carrier, 1, rules).Verdicts[0]; v.Result != suites.Pass {
		t.Errorf("got %s (%s), want pass: after a 502 or 504 it found its writes done", v.Result, v.Detail)
	}
}
