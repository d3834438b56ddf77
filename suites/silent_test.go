package suites_test

import (
	"context"
	"slices"
	"testing"

	"github.com/brownout-dev/brownout/suites"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/mutants"
)

// silent carries a client that tells less: what it hands its caller, by which status it was answered.
type silent struct {
	drive.Carrier
	bodies, statuses bool // that it does not tell
	altered          bool // it hands on something made of the body
}

func (s silent) New(ctx context.Context, dial drive.Dial) (drive.Client, func() error, error) {
	client, done, err := s.Carrier.New(ctx, dial)
	return drive.Func(func(ctx context.Context, call drive.Call) drive.Result {
		r := client.Do(ctx, call)
		if s.altered && r.Body != nil {
			r.Body = append([]byte("decoded: "), r.Body...)
			r.BodySHA256, r.BodyBytes = "", 0
			return r
		}
		if s.bodies {
			r.Body, r.BodySHA256, r.BodyBytes = nil, "", 0
		}
		if s.statuses {
			r.Status = 0
		}
		return r
	}), done, err
}

// What a client does not tell it is neither blamed nor praised for; what it does tell is enough where it shows the defect.
func TestClientsThatTellLess(t *testing.T) {
	rules, err := suites.Select(suites.Rules(), []string{"RT-06", "RT-12", "CX-10"})
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(mutants.All(), mutants.Variants())
	for _, row := range []struct {
		mutant           string
		silent           silent
		rt06, rt12, cx10 suites.Result
		reason           string
	}{
		{"resumes", silent{}, suites.Pass, suites.Pass, suites.Pass, "all is told, and all is right"},
		{"resumes", silent{bodies: true}, suites.Pass, suites.NotTested, suites.Pass, "statuses show whose reply it was, and nothing shows whose body"},
		{"resumes", silent{altered: true}, suites.Pass, suites.NotTested, suites.Pass, "a decoded body cannot be compared"},
		{"resumes", silent{bodies: true, statuses: true}, suites.Pass, suites.NotTested, suites.NotTested, "ok says nothing of whose reply it was"},
		{"appends-the-whole", silent{}, suites.Pass, suites.Fail, suites.Pass, "the body has a seam"},
		{"appends-the-whole", silent{bodies: true}, suites.Pass, suites.NotTested, suites.Pass, "the seam cannot be seen"},
		{"reads-on-where-it-stopped", silent{bodies: true}, suites.Observed, suites.NotTested, suites.Fail, "it tells a 202 and a 408 that nobody sent it"},
		{"reads-on-where-it-stopped", silent{altered: true}, suites.Observed, suites.NotTested, suites.Fail, "the status is enough"},
		{"reads-on-where-it-stopped", silent{bodies: true, statuses: true}, suites.NotTested, suites.NotTested, suites.NotTested, "nothing is told"},
	} {
		i := slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == row.mutant })
		row.silent.Carrier = all[i].Carrier(1)
		j := judgeVirtually(t, row.silent, 1, rules)
		for i, want := range []suites.Result{row.rt06, row.rt12, row.cx10} {
			if got := j.Verdicts[i]; got.Result != want {
				t.Errorf("%s, which tells no bodies %t, no statuses %t, other bodies %t: %s: got %s (%s), want %s: %s", row.mutant, row.silent.bodies, row.silent.statuses, row.silent.altered, got.Rule, got.Result, got.Detail, want, row.reason)
			}
		}
	}
}
