package portrait

import (
	"regexp"
	"time"

	"github.com/brownout-dev/brownout/suites/transcript"
)

// Hints is what became of Retry-After, where it asked for a wait of seconds.
type Hints struct {
	Given    int `json:"given,omitempty"`    // operations whose first attempt was told when to come back
	Honoured int `json:"honoured,omitempty"` // came back then, or later
	Early    int `json:"early,omitempty"`    // came back before
	Stopped  int `json:"stopped,omitempty"`  // did not come back
}

var (
	inSeconds = regexp.MustCompile(`^status (?:429|503) retry-after=([1-9][0-9]{0,4}) (?:before|after)-commit$`)
	asDate    = regexp.MustCompile(`^status (?:429|503) retry-after=date\+([1-9][0-9]*[smh]) (?:before|after)-commit$`)
)

func hints(e evidence) (h Hints) {
	for _, o := range e.ops {
		if len(o.Attempts) == 0 || o.CancelAfter > 0 {
			continue
		}
		least := asked(o.Struck(o.Attempts[0].Number))
		if least == 0 {
			continue
		}
		h.Given++
		switch {
		case len(o.Attempts) == 1:
			h.Stopped++
		case o.Waits()[0] >= least-transcript.TimerSlack:
			h.Honoured++
		default:
			h.Early++
		}
	}
	return h
}

// asked is the least wait that a fault's Retry-After asks for; 0 = none that can be mistaken for no other. A date is cut to whole seconds
// when it is written down.
func asked(fault string) time.Duration {
	if m := inSeconds.FindStringSubmatch(fault); m != nil {
		d, _ := time.ParseDuration(m[1] + "s")
		return d
	}
	if m := asDate.FindStringSubmatch(fault); m != nil {
		d, _ := time.ParseDuration(m[1])
		return d - time.Second
	}
	return 0
}
