package journal

import (
	"sync"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// Journal is written by the fake while a play runs, and read by anybody at any time. All methods are safe for concurrent use; its one
// lock is held for memory operations only.
type Journal struct {
	clock clock.Clock

	mu        sync.Mutex
	attempts  []*entry
	effects   []*Effect
	decisions []Decision
	tries     map[faults.OperationID]int
}

// entry is an attempt with its header packed, and with the place its byte times come from; they may change after the attempt is over.
type entry struct {
	Attempt
	header packed
	times  Times
	whole  bool
}

// Times is where an attempt's byte times are read: *wire.Request.
type Times interface{ Times() wire.Times }

// New begins an empty journal on the play's clock.
func New(c clock.Clock) *Journal {
	return &Journal{clock: c, tries: map[faults.OperationID]int{}}
}

// Begin writes an attempt down as its head has been read: it is given its number, its moment and, if named, its try. An
// attempt that is not named yet may carry its token in the body; see [Journal.Name]. What is too long to be kept is cut first (see [MaxHead]).
func (j *Journal) Begin(a Attempt, named bool, t Times) Attempt {
	a = bounded(a)
	header := pack(a.Header)
	a.FirstByte = t.Times().FirstByte
	j.mu.Lock()
	defer j.mu.Unlock()
	a.Number = len(j.attempts) + 1
	a.HeadRead = j.clock.Now()
	if named {
		a.Try = j.nextTry(a.Operation)
	}
	e := &entry{Attempt: a, header: header, times: t}
	e.Header = nil
	j.attempts = append(j.attempts, e)
	return a
}

// Name gives an attempt to an operation and returns its try. Attempts without any token belong to the operation "" together.
func (j *Journal) Name(attempt int, op faults.OperationID) (try int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	a := j.attempts[attempt-1]
	a.Operation, a.Try = op, j.nextTry(op)
	return a.Try
}

func (j *Journal) nextTry(op faults.OperationID) int {
	j.tries[op]++
	return j.tries[op]
}

// Update changes an attempt, but not its Header, which stays as it came. change is called under the journal's lock and must not wait.
func (j *Journal) Update(attempt int, change func(a *Attempt)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.attempts[attempt-1].Attempt)
}

// Answered says that an attempt's reply was sent whole.
func (j *Journal) Answered(attempt int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.attempts[attempt-1].whole = true
}

// Apply writes an effect down, cut as an attempt's target is, and its moment and number into the attempt that applied it.
func (j *Journal) Apply(e Effect) {
	e = boundedEffect(e)
	j.mu.Lock()
	defer j.mu.Unlock()
	e.Number, e.At = len(j.effects)+1, j.clock.Now()
	j.effects = append(j.effects, &e)
	a := j.attempts[e.Attempt-1]
	a.Committed, a.Effect = e.At, e.Number
}

// Decide writes a decision down.
func (j *Journal) Decide(d Decision) {
	j.mu.Lock()
	defer j.mu.Unlock()
	d.At = j.clock.Now()
	j.decisions = append(j.decisions, d)
}

// Record copies what the journal holds now. Its Connections are empty: they are the listener's to tell.
func (j *Journal) Record() Record {
	entries, r := j.copies()
	r.Attempts = make([]Attempt, len(entries))
	for i, e := range entries {
		r.Attempts[i] = e.merged()
	}
	return r
}

func (j *Journal) copies() ([]entry, Record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return copied(j.attempts), Record{
		Effects:     copied(j.effects),
		Decisions:   append([]Decision{}, j.decisions...),
		Connections: []wire.Connection{},
	}
}

// copied are the values that a list points to.
func copied[T any](list []*T) []T {
	values := make([]T, len(list))
	for i, v := range list {
		values[i] = *v
	}
	return values
}

// merged adds the byte times. The last byte counts only if it was the last of a whole reply.
func (e entry) merged() Attempt {
	t := e.times.Times()
	a := e.Attempt
	a.Header = e.header.unpack()
	a.ReplyFirst, a.Gone = t.ReplyFirst, t.Gone
	if e.whole {
		a.ReplyLast = t.ReplyLast
	}
	return a
}
