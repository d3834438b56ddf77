package suites

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/scenarios"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// plays are the plays of one run: the first of each scenario, and the second of those in which something did not hold.
type plays struct {
	run    Run
	ctx    context.Context
	cancel context.CancelFunc
	places chan struct{}
	all    sync.WaitGroup

	mu           sync.Mutex
	first, again map[scenarios.Name]transcript.Transcript // of plays that came to their end
	alone        []scenarios.Scenario                     // to be played again with nothing beside them
	done, of     int
	failed       error
}

// play plays scenarios, as many at once as there are jobs, the long ones first. What was not held is played again: at once, beside others, or,
// where a finding rests on time, when all else is over, one at a time. What cannot be played ends everything.
func (r Run) play(ctx context.Context, needed []scenarios.Scenario, jobs int) *plays {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &plays{
		run: r, ctx: ctx, cancel: cancel, places: make(chan struct{}, jobs), of: len(needed),
		first: map[scenarios.Name]transcript.Transcript{}, again: map[scenarios.Name]transcript.Transcript{},
	}
	for _, s := range longestFirst(needed) {
		p.places <- struct{}{}
		p.all.Go(func() { p.one(s, false) })
	}
	p.all.Wait()
	for _, s := range p.alone {
		p.places <- struct{}{}
		p.one(s, true)
	}
	return p
}

// longestFirst puts the scenarios first that can last longest, so that they do not begin when all others are over: as long as the longest of its
// calls, or as all of them where one follows the other. One that gives a call no deadline waits for a bound.
func longestFirst(needed []scenarios.Scenario) []scenarios.Scenario {
	length := func(s scenarios.Scenario) (longest time.Duration) {
		for _, c := range s.Cases {
			switch {
			case c.Deadline == 0:
				return time.Hour
			case s.Order == scenarios.Sequential:
				longest += c.After + time.Duration(c.Count(false))*c.Deadline
			default:
				longest = max(longest, c.Deadline)
			}
		}
		return longest
	}
	sorted := slices.Clone(needed)
	slices.SortStableFunc(sorted, func(a, b scenarios.Scenario) int { return int((length(b) - length(a)) / time.Second) })
	return sorted
}

// one plays a scenario, and gives its place back.
func (p *plays) one(s scenarios.Scenario, again bool) {
	defer func() { <-p.places }()
	if p.ctx.Err() != nil {
		return
	}
	t, err := p.run.Lab.Play(p.ctx, s)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.ctx.Err() != nil: // interrupted: half a play is no evidence
	case err != nil:
		p.failed = err
		p.cancel()
	case again:
		p.again[s.Name] = t
		p.ended(s, again)
	default:
		p.first[s.Name] = t
		p.plan(s, t)
		p.ended(s, again)
	}
}

// plan has a scenario played again, if something in it did not hold. What was only advised is not: it was not proved the first time either.
func (p *plays) plan(s scenarios.Scenario, t transcript.Transcript) {
	doubtful, timed := false, false
	for _, rule := range p.run.Rules {
		if rule.Under != s.Name || p.run.Once {
			continue
		}
		if v := Judge(rule, t); notHeld(v) && !onlyAdvice(rule, v) {
			doubtful = true
			timed = timed || v.Result == Inconclusive || slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.timed })
		}
	}
	switch {
	case timed:
		p.of++
		p.alone = append(p.alone, s)
	case doubtful:
		p.of++
		p.all.Go(func() {
			p.places <- struct{}{} // after those that wait for a place already
			p.one(s, true)
		})
	}
}

// ended tells of it.
func (p *plays) ended(s scenarios.Scenario, again bool) {
	p.done++
	if p.run.Progress != nil {
		p.run.Progress(Progress{Scenario: s.Name, Done: p.done, Of: p.of, Again: again})
	}
}
