package portrait

import "strings"

// Budget is how many operations of a lasting outage were held back before the client's usual number of attempts, although they had time.
type Budget struct {
	Operations int     `json:"operations,omitempty"` // in plays in which the dependency never came back
	HeldBack   int     `json:"held_back,omitempty"`  // had fewer attempts than most
	Unsent     int     `json:"unsent,omitempty"`     // had none at all: a breaker refuses so
	Ratio      float64 `json:"ratio,omitempty"`      // retries for each operation
}

// fewestForBudget is how many operations of one outage it takes to see what they share.
const fewestForBudget = 50

func budget(e evidence) (b Budget) {
	type place struct {
		play   string
		origin int
	}
	most := map[string]int{}  // attempts of an operation, by play
	plays := map[place][]op{} // what is shared, is shared by the callers of one dependency
	for _, o := range e.ops {
		if o.ownPolicy() && strings.Contains(o.Script, "503") && strings.Contains(o.Script, "repeat: true") && !hinted(o.Script) {
			at := place{o.play, o.Origin}
			plays[at] = append(plays[at], o)
			most[o.play] = max(most[o.play], len(o.Attempts))
		}
	}
	for at, ops := range plays {
		if len(ops) < fewestForBudget || most[at.play] < 2 {
			continue
		}
		sent := 0
		for _, o := range ops {
			sent += len(o.Attempts)
			switch n := len(o.Attempts); {
			case n == 0:
				b.Unsent++
			case n < most[at.play] && !o.outOfTime():
				b.HeldBack++
			}
		}
		b.Operations += len(ops)
		b.Ratio = max(b.Ratio, float64(sent)/float64(len(ops))-1)
	}
	return b
}
