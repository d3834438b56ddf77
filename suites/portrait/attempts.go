package portrait

import (
	"net/http"
	"slices"

	"github.com/brownout-dev/brownout/suites/transcript"
)

// Attempts is how many attempts operations had at the most, under the client's own policy, apart from those that a bound is not about.
type Attempts struct {
	Most       int  `json:"most,omitempty"`
	Operations int  `json:"operations,omitempty"`    // that had as many
	Usual      int  `json:"usual,omitempty"`         // what most of those had that were tried again and failed
	TimeEnded  bool `json:"time_ended_it,omitempty"` // time may have ended even those, and not a bound
}

func attempts(e evidence) (a Attempts) {
	often := map[int]int{}
	for _, o := range e.ops {
		n := o.tries()
		if n == 0 || !o.ownPolicy() || o.ending(o.Attempts[len(o.Attempts)-1]) == "" {
			continue
		}
		if often[n]++; n > a.Most {
			a = Attempts{Most: n, TimeEnded: true}
		}
		if n == a.Most {
			a.TimeEnded = a.TimeEnded && o.outOfTime()
		}
	}
	a.Operations = often[a.Most]
	for n := 2; n <= a.Most; n++ {
		if often[n] > often[a.Usual] {
			a.Usual = n
		}
	}
	return a
}

// tries is how many attempts there were that a bound on attempts is about: not a hop that a redirect led to, nor a request with other credentials, nor one
// after a conflict that was waited out, nor a hedge.
func (o op) tries() int {
	n := len(o.Attempts)
	for i := 1; i < len(o.Attempts); i++ {
		if before := o.Attempts[i-1]; o.hedged(i) || before.ReplyLast.Happened() && ledOn(before.Status) {
			n--
		}
	}
	return n
}

// ledOn tells whether a request that follows a status is another one, and no repetition of the same.
func ledOn(status int) bool {
	return status >= 300 && status <= 399 || status == http.StatusUnauthorized || status == http.StatusConflict
}

// outOfTime tells whether the client's next wait may have been longer than the time that was left.
func (o op) outOfTime() bool {
	ws := o.Waits()
	if len(ws) == 0 {
		return false
	}
	return o.left(o.Over(len(o.Attempts))) <= transcript.LikelyNext*slices.Max(ws)
}
