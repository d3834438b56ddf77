package stores

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// Memory is a Store that lasts as long as its play. Results are dropped when their time is over; documents never are.
type Memory struct {
	now       func() clock.Moment
	retention time.Duration
	ledger    func(journal.Effect)

	mu        sync.Mutex
	keys      map[digest]*receipt
	done      []digest // in order of their commits, which is the order in which their time is over
	documents map[string][]byte
}

var _ Store = (*Memory)(nil)

// digest stands for a Key: callers and paths may be as long as a request's head, and are not to be kept for a day.
type digest [sha256.Size]byte

func digestOf(k Key) digest {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", k.Caller, k.Method, k.Path, k.Value))
}

// receipt is what is known of a key: reply is nil while its request is running.
type receipt struct {
	print Print
	reply *faults.Reply
	until clock.Moment
}

// NewMemory makes an empty store. A result is kept for retention from its commit, by the given clock; effects are written to ledger
// inside the commit, which must not call back.
func NewMemory(now func() clock.Moment, retention time.Duration, ledger func(journal.Effect)) *Memory {
	return &Memory{now: now, retention: retention, ledger: ledger, keys: map[digest]*receipt{}, documents: map[string][]byte{}}
}

func (m *Memory) Claim(_ context.Context, k Key, p Print) (Claim, *faults.Reply, error) {
	if k.Value == "" {
		return &memoryClaim{store: m}, nil, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	id := digestOf(k)
	switch r := m.keys[id]; {
	case r == nil:
		m.keys[id] = &receipt{print: p}
		return &memoryClaim{store: m, keyed: true, key: id}, nil, nil
	case r.print != p:
		return nil, nil, ErrMismatch
	case r.reply == nil:
		return nil, nil, ErrRunning
	default:
		saved := copied(*r.reply)
		return nil, &saved, nil
	}
}

// expire drops the results whose time is over. Each is dropped once, so that a claim costs the same however many there are.
func (m *Memory) expire() {
	now := m.now()
	for len(m.done) > 0 && m.keys[m.done[0]].until <= now {
		delete(m.keys, m.done[0])
		m.done = m.done[1:]
	}
}

// copied is the reply with nothing shared, since faults may spoil the one that is sent.
func copied(r faults.Reply) faults.Reply {
	r.Header, r.Body = r.Header.Clone(), bytes.Clone(r.Body)
	return r
}

type memoryClaim struct {
	store *Memory
	keyed bool
	key   digest
}

func (c *memoryClaim) Commit(_ context.Context, work Work) (faults.Reply, error) {
	m := c.store
	m.mu.Lock()
	defer m.mu.Unlock()
	reply := work(memoryTx{m})
	if c.keyed {
		saved := copied(reply)
		r := m.keys[c.key]
		r.reply, r.until = &saved, m.now().Add(m.retention)
		m.done = append(m.done, c.key)
	}
	return reply, nil
}

func (c *memoryClaim) Release(context.Context) error {
	m := c.store
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.keys, c.key)
	return nil
}

// memoryTx works on the state itself, since the store's lock is held and nothing can fail.
type memoryTx struct{ *Memory }

func (t memoryTx) Get(path string) ([]byte, bool) {
	document, touched := t.documents[path]
	return document, touched
}

func (t memoryTx) Put(path string, document []byte) { t.documents[path] = document }
func (t memoryTx) Apply(e journal.Effect)           { t.ledger(e) }
