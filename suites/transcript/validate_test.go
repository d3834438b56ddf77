package transcript_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/clients"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// played gives what a bundled Go client leaves behind under a scenario.
func played(t *testing.T, c clients.Bundled, s scenarios.Scenario) (played transcript.Transcript) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		carrier, err := c.Carrier()
		if err == nil {
			played, err = lab.Virtual(carrier, 7).Play(context.Background(), s)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	return played
}

// TestEveryPlayIsPossible wants nothing refused that was really played.
func TestEveryPlayIsPossible(t *testing.T) {
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clients.All() {
		if c.Name == "curl" { // in virtual time there are no processes
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, s := range all {
				if err := played(t, c, s).Validate(); err != nil {
					t.Errorf("%s: %v", s.Name, err)
				}
			}
		})
	}
}

// TestValidate spoils one thing at a time.
func TestValidate(t *testing.T) {
	s, err := scenarios.Named("replies-lost-three-times")
	if err != nil {
		t.Fatal(err)
	}
	sound, err := json.Marshal(played(t, clients.All()[0], s))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		spoil func(*transcript.Transcript)
		want  string
	}{
		{"nothing", func(*transcript.Transcript) {}, ""},
		{"no end", func(t *transcript.Transcript) { t.Ended = 0 }, "ended: : want the moment"},
		{"negative lateness", func(t *transcript.Transcript) { t.Lateness = -1 }, "lateness: -1ns: want no less than 0s"},
		{"negative time", func(t *transcript.Transcript) { t.Operations[0].Began = -1 }, "operations[0].began: -1ns: want the moment in which it began"},
		{"ended before it began", func(t *transcript.Transcript) { t.Operations[0].Ended = 1 }, "operations[0].ended: 1ns: want a moment from "},
		{"ended after the play", func(t *transcript.Transcript) { t.Operations[0].Ended = t.Ended + 1 }, "operations[0].ended: "},
		{"never ended", func(t *transcript.Transcript) { t.Operations[0].Ended = 0 }, "operations[0].ended: want the moment"},
		{"unknown outcome", func(t *transcript.Transcript) { t.Operations[0].Outcome = "fine" }, `operations[0].outcome: "fine": want ok, failed, unknown or error`},
		{"an id twice", func(t *transcript.Transcript) { t.Operations[1].ID = t.Operations[0].ID }, "operations[1].id: "},
		{"no id", func(t *transcript.Transcript) { t.Operations[0].ID = "" }, `operations[0].id: "": want an id that`},
		{"negative deadline", func(t *transcript.Transcript) { t.Operations[0].Deadline = -1 }, "operations[0].deadline: -1ns: want no less than 0s"},
		{"a number twice", func(t *transcript.Transcript) { t.Record.Attempts[1].Number = 1 }, "attempts[1].number: 1: want 2"},
		{"a missing attempt", func(t *transcript.Transcript) { t.Record.Attempts = t.Record.Attempts[1:] }, "attempts[0].number: 2: want 1"},
		{"of nobody", func(t *transcript.Transcript) { t.Record.Attempts[0].Operation = "op-none" }, `attempts[0].operation: "op-none": want one of the play`},
		{"before it was asked for", func(t *transcript.Transcript) { t.Record.Attempts[0].FirstByte = 1 }, "attempts[0].first_byte: 1ns: want a moment from "},
		{"answered before it came", func(t *transcript.Transcript) { t.Record.Attempts[0].ReplyLast = 1 }, "attempts[0].reply_last: 1ns: want a moment from "},
		{"no connection", func(t *transcript.Transcript) { t.Record.Attempts[0].Use = 0 }, "attempts[0]: use 0 of connection "},
		{"an effect of no attempt", func(t *transcript.Transcript) { t.Effects[0].Attempt = 0 }, "effects[0].attempt: 0 of operation "},
		{"an effect of another", func(t *transcript.Transcript) { t.Effects[0].Operation = "op-none" }, `effects[0].attempt: `},
		{"a decision on no attempt", func(t *transcript.Transcript) { t.Record.Decisions[0].Attempt = 999 }, "decisions[0].attempt: 999: want one of the play"},
		{"a decision of its own", func(t *transcript.Transcript) { t.Record.Decisions[0].Result = journal.Result("maybe") }, `decisions[0].result: "maybe": want fired or skipped`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var spoiled transcript.Transcript
			if err := json.Unmarshal(sound, &spoiled); err != nil {
				t.Fatal(err)
			}
			tt.spoil(&spoiled)
			err := spoiled.Validate()
			if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
