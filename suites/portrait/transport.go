package portrait

import "time"

// Hidden is what the transport does behind the client's back: requests that were lost on a kept connection and came again at once, without
// a wait. A client with full jitter does so once in a hundred times by chance.
type Hidden struct {
	Lost   int `json:"lost,omitempty"`    // on connections that had been used before
	AtOnce int `json:"at_once,omitempty"` // of them came again at once
	Beyond int `json:"beyond,omitempty"`  // attempts beyond the one that was asked for
}

// atOnce is how soon a second request comes that nobody waited for.
const atOnce = time.Millisecond

func hidden(e evidence) (h Hidden) {
	for _, o := range e.ops {
		if o.MaxAttempts == 1 {
			h.Beyond += max(0, len(o.Attempts)-1)
		}
		for i, a := range o.Attempts {
			if !lostWhenKept(a, o.ending(a)) {
				continue
			}
			h.Lost++
			if i+1 < len(o.Attempts) && !o.hedged(i+1) && o.Waits()[i] < atOnce {
				h.AtOnce++
			}
		}
	}
	return h
}
