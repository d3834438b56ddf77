// Package portrait says how a client was seen to behave, in words and numbers and without a verdict: whether it tries again and on what,
// how it waits, whether it sends keys. What the plays did not show is said to be not seen; nothing is taken from the client's own claims,
// but what contradicts them is named.
//
// It is a pure function over the transcripts of a run, so that saved ones give the portrait of the run that saved them.
package portrait

import (
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// Portrait is what was seen of a client. Zero values are what was not seen.
type Portrait struct {
	Retries    Sign                  `json:"retries"`
	Attempts   Attempts              `json:"attempts,omitzero"`
	Causes     []Cause               `json:"causes,omitempty"` // what first attempts ended in, and whether another one followed
	Waits      *Waits                `json:"waits,omitempty"`  // nil: no wait of its own choice was seen
	Hints      Hints                 `json:"hints,omitzero"`
	Keys       Keys                  `json:"keys,omitzero"`
	Hidden     Hidden                `json:"hidden_retries,omitzero"`
	Budget     Budget                `json:"budget,omitzero"`
	Hedges     Hedges                `json:"hedges,omitzero"`
	Timer      Timer                 `json:"attempt_timer,omitzero"`
	Outcomes   map[drive.Outcome]int `json:"outcomes,omitempty"`
	Contradict []Contradiction       `json:"contradictions,omitempty"` // claims that what was seen speaks against
}

// Sign is yes, no, or not seen.
type Sign string

const (
	NotSeen Sign = "not seen"
	Yes     Sign = "yes"
	No      Sign = "no"
)

// Of gives the portrait of the client in the transcripts of a run.
func Of(ts []transcript.Transcript) Portrait {
	e := collect(ts)
	if len(e.ops) == 0 {
		return Portrait{Retries: NotSeen}
	}
	p := Portrait{
		Causes:   causes(e),
		Attempts: attempts(e),
		Waits:    waits(e),
		Hints:    hints(e),
		Keys:     keys(e),
		Hidden:   hidden(e),
		Budget:   budget(e),
		Hedges:   hedges(e),
		Timer:    timer(e),
		Outcomes: map[drive.Outcome]int{},
	}
	p.Retries = retries(p.Causes)
	for _, op := range e.ops {
		p.Outcomes[op.Outcome]++
	}
	p.Contradict = contradictions(e.claims, p)
	return p
}

// retries tells whether the client tries again, apart from what its transport does behind its back.
func retries(of []Cause) Sign {
	sign := NotSeen
	for _, c := range of {
		if c.Repeatable.Repeated+c.Unkeyed.Repeated > 0 {
			return Yes
		}
		// Some clients rightly stop at each of the others, at these none that retries does.
		if c.What == "503" && c.Repeatable.Seen > 0 || c.What == "429" && c.Repeatable.Seen > 0 {
			sign = No
		}
	}
	return sign
}

// evidence is what the portrait is made from.
type evidence struct {
	ops    []op
	claims drive.Claims
}

// op is an operation, and what the machine and the play were like.
type op struct {
	transcript.Op
	play   string        // the scenario
	late   time.Duration // how late the machine may have made the client, in three cases of four
	worst  time.Duration // and at the worst
	opened clock.Moment  // when the play began to accept connections, if it refused them at first
}

func collect(ts []transcript.Transcript) (e evidence) {
	for _, t := range ts {
		e.claims = t.Client.Claims
		if t.Failure != "" {
			continue // nothing of such a play is to be trusted
		}
		opened := t.RefusedUntil()
		worst, typical := t.Starvation()
		for _, o := range t.Ops() {
			if o.Trouble == "" || o.GaveUp {
				e.ops = append(e.ops, op{o, t.Scenario, typical, worst, opened})
			}
		}
	}
	return e
}

// ownPolicy tells whether the client followed its own policy: the suite asked for no other, and nobody cancelled.
func (o op) ownPolicy() bool { return o.MaxAttempts == 0 && o.Base == 0 && o.CancelAfter == 0 }

// left is how much time the operation had left at a moment; without a deadline, more than any client waits.
func (o op) left(at clock.Moment) time.Duration {
	if o.Deadline == 0 {
		return time.Hour
	}
	return time.Duration(o.Deadline) - at.Sub(o.Began)
}
