package suites

import (
	"testing"

	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func TestRulesAreNotForEveryClient(t *testing.T) {
	process := drive.Hello{Features: []drive.Feature{drive.ProcessPerCall, drive.Budget}}
	budget := drive.Hello{Features: []drive.Feature{drive.Budget}}
	tests := []struct {
		name   string
		rule   Rule
		client drive.Hello
		want   Result // "" = it is to be judged
		why    string
	}{
		{"any rule", Rule{Needs: drive.Budget}, drive.Hello{}, "", "the client may show a sign of it"},
		{"declared", Rule{Needs: drive.Budget, Declared: true}, budget, "", "it says that it has one"},
		{"not declared", Rule{Needs: drive.Budget, Declared: true}, drive.Hello{}, Unsupported, "nothing to be seen"},
		{"lasting", Rule{Lasting: true}, budget, "", "it lives from call to call"},
		{"a process for each call", Rule{Needs: drive.Budget, Declared: true, Lasting: true}, process, NotTested, "it may have a budget, but nothing can be drawn on it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.rule.ID, tt.rule.Under = "XX-01", "x"
			tt.rule.Holds = func(b *Bench, _ transcript.Transcript) { b.expected++ }
			v := tt.rule.spares(tt.client)
			if got := v != nil; got != (tt.want != "") || got && v.Result != tt.want {
				t.Errorf("got %+v, want %q: %s", v, tt.want, tt.why)
			}
		})
	}
}
