package suites_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/lab"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// A transcript that was saved and read again gives the verdict of the run that saved it, word for word: for every rule, of clients in which
// nothing is found and of clients in which much is.
func TestSavedTranscriptsGiveTheSameVerdicts(t *testing.T) {
	for _, name := range []string{"steady", "guarded", "naive", "nethttp"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := suites.Rules()
			var j suites.Judgement
			synctest.Test(t, func(t *testing.T) {
				var err error
				j, err = suites.Run{Lab: lab.Virtual(bundled(t, name), 3), Rules: rules}.Do(context.Background())
				if err != nil {
					t.Fatal(err)
				}
			})
			got := suites.Settle(rules, bundled(t, name).Hello(), savedAndRead(t, j.Transcripts), savedAndRead(t, j.Again))
			if diff := cmp.Diff(j.Verdicts, got, cmp.AllowUnexported(suites.Finding{})); diff != "" {
				t.Errorf("verdicts of the run (-) and of its transcripts (+) differ:\n%s", diff)
			}
		})
	}
}

func savedAndRead(t *testing.T, played []transcript.Transcript) map[scenarios.Name]transcript.Transcript {
	t.Helper()
	read := map[scenarios.Name]transcript.Transcript{}
	for _, p := range played {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back transcript.Transcript
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		read[scenarios.Name(p.Scenario)] = back
	}
	return read
}
