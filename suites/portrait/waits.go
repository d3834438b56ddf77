package portrait

import (
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/sample"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Waits is how the client waits of its own accord: after a whole reply that was a failure and gave no hint.
type Waits struct {
	First   Shape      `json:"first"`            // of the first waits
	Means   []float64  `json:"means_s"`          // of the first, the second wait and so on, in seconds, as far as enough operations came
	Growth  float64    `json:"growth,omitempty"` // from one wait to the next, on average; 0 = too few waits
	Base    clock.Span `json:"base,omitzero"`    // of the first wait, before jitter; 0 = of no known kind
	Cap     clock.Span `json:"cap,omitzero"`     // before jitter, where the waits stopped growing; 0 = not reached
	Longest clock.Span `json:"longest"`

	surely []float64 // the longest of each operation, in seconds, without what the machine may have added
}

// Enough operations to say something of their k-th wait.
const enough = 4

// levelled is by what factor waits may still grow where they have reached their cap, by chance.
const levelled = 1.2

func waits(e evidence) *Waits {
	byPlay := map[string][]series{}
	for _, o := range e.ops {
		if s, ok := ownWaits(o); ok {
			byPlay[o.play] = append(byPlay[o.play], s)
		}
	}
	if len(byPlay) == 0 {
		return nil
	}
	w := &Waits{}
	for _, all := range byPlay {
		for _, s := range all {
			for _, d := range s.waits {
				w.Longest = max(w.Longest, span(d))
			}
			w.surely = append(w.surely, slices.Max(s.waits)-(transcript.Starved*s.worst).Seconds())
		}
	}
	w.First = shape(most(byPlay, 1), e.claims)
	w.Base = span(w.First.base())
	w.grow(most(byPlay, 3))
	return w
}

// series is one operation's own waits, in seconds.
type series struct {
	waits       []float64
	late, worst time.Duration // as of its op
}

// ownWaits gives the waits of an operation that were the client's own choice. The first one that was not ends them: what comes after it may be
// reckoned from it. Nor does it go on at a 429, after which some clients wait longer than after other failures. What a deadline cut short tells of no distribution, so the operation must have had time in plenty.
func ownWaits(o op) (s series, ok bool) {
	s.late, s.worst = o.late, o.worst
	if !o.ownPolicy() {
		return s, false
	}
	for i, w := range o.Waits() {
		a := o.Attempts[i]
		if !a.ReplyLast.Happened() || a.Status == http.StatusTooManyRequests || o.hedged(i+1) || o.ending(a) == "" || hinted(o.Struck(a.Number)) || o.left(o.Over(i+1)) < plenty*w {
			break
		}
		s.waits = append(s.waits, w.Seconds())
	}
	return s, len(s.waits) > 0
}

// plenty is how many times a wait the time left must have been.
const plenty = 4

// most gives the operations of the one play that has the most of at least n waits: samples of two plays may differ.
func most(byPlay map[string][]series, n int) (best []series) {
	name := ""
	for play, all := range byPlay {
		var long []series
		for _, s := range all {
			if len(s.waits) >= n {
				long = append(long, s)
			}
		}
		if len(long) > len(best) || len(long) == len(best) && len(long) > 0 && play < name {
			best, name = long, play
		}
	}
	return best
}

// grow looks at operations with three waits or more.
func (w *Waits) grow(all []series) {
	for k := 0; ; k++ {
		var kth []float64
		for _, s := range all {
			if len(s.waits) > k {
				kth = append(kth, s.waits[k])
			}
		}
		if len(kth) < enough {
			break
		}
		w.Means = append(w.Means, sample.Mean(kth))
	}
	n := len(w.Means)
	if n < 3 || w.Means[0] <= 0 {
		return
	}
	end := n - 1 // the last wait that still grew
	for end > 1 && w.Means[end] < levelled*w.Means[end-1] {
		end--
	}
	if grew := math.Pow(w.Means[end]/w.Means[0], 1/float64(end)); grew > levelled && end < n-1 {
		w.Growth, w.Cap = grew, span(w.Means[n-1]*w.First.toCeiling())
	} else {
		w.Growth = math.Pow(w.Means[n-1]/w.Means[0], 1/float64(n-1))
	}
}

// toCeiling is by what factor a mean wait of this shape falls short of what it was drawn below.
func (s Shape) toCeiling() float64 {
	switch s.Kind {
	case drive.FullJitter:
		return 2
	case drive.EqualJitter:
		return 4. / 3
	}
	return 1
}
