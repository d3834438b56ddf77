package drive

import (
	"context"
	"time"

	"github.com/brownout-dev/brownout/faults"
)

const (
	twoAtOnce = "two GETs at once, the first of which is not answered"
	readsOn   = "the second one back before the first is over: an adapter reads on while calls are under way"
	// togetherTries gives a client whose own timeout is short a second chance on a busy machine.
	togetherTries = 2
	togetherLook  = 20 * time.Millisecond // between two looks at what has come to the fake
)

// together asks a client that lives in one process for two things at once. An adapter that takes one call at a time would make its client
// late whenever there are more, and the client would be blamed. A client that allows itself only one call is free to.
func (p *prober) together(ctx context.Context, h Hello) error {
	if h.Driver != "jsonl" || h.Has(Bulkhead) && h.Claims.Bulkhead.Limit <= 1 {
		return nil
	}
	held := probeOperation()
	hold := faults.Script{Steps: [][]faults.Fault{{{At: faults.BeforeCommit, Action: &faults.Hold{}}}}, Repeat: true}
	return p.answered(faults.Plan{Operations: map[faults.OperationID]faults.Script{held: hold}}, func() error {
		var second probed
		for range togetherTries {
			s, passed, err := p.overtakes(ctx, held)
			if passed || err != nil {
				return err
			}
			second = s
		}
		return second.refuse(twoAtOnce, readsOn)
	})
}

// overtakes asks for what is there while another call is held, and tells whether it came back before that one was over.
func (p *prober) overtakes(ctx context.Context, held faults.OperationID) (second probed, passed bool, err error) {
	known := len(p.reached(held))
	holding, giveUp := context.WithCancel(ctx)
	over := make(chan Result, 1)
	go func() { over <- p.client.Do(holding, probeCall(held, p.fake.URL()+"/v1/catalogue")) }()
	first := Result{}
	for len(p.reached(held)) == known && first.Outcome == "" {
		select {
		case first = <-over:
		case <-time.After(togetherLook):
		}
	}
	second, err = p.ask(ctx, twoAtOnce, readsOn, p.fake.URL()+"/v1/catalogue")
	giveUp()
	if first.Outcome == "" {
		first = <-over
	}
	return second, second.Outcome == OK && second.Ended.Before(first.Ended), err
}
