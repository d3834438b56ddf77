// Package stores keeps what requests have changed, and the results of requests that came with an idempotency key.
//
// A keyed request goes through two steps. Claim gives one attempt the right to apply it; whoever else comes with the key meanwhile is
// told so. Commit applies it and saves its result in one step, so that there is never an effect without its receipt, nor a receipt
// without its effect:
//
//	            Claim                 Commit
//	(nothing) ────────▶ running ───────────────────▶ done ──▶ (nothing), when its time is over
//	    ▲                  │ Release
//	    └──────────────────┘
package stores

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
)

// Key is an idempotency key in its scope: the same words from another caller, or to another method or path, are another key. Without
// a Value it is that of a request that brought no key.
type Key struct {
	Caller, Method, Path string
	Value                string
}

// Print is the fingerprint of a request's canonical payload (see package fakes).
type Print [sha256.Size]byte

// Why a key gives neither the right to apply nor a saved result (draft-ietf-httpapi-idempotency-key-header, 2.6).
var (
	ErrRunning  = errors.New("a request with this key is still running")
	ErrMismatch = errors.New("this key was used with another payload")
)

// Store is where fakes keep their state. It is safe for concurrent use.
type Store interface {
	// Claim asks for the right to apply a request. It gives exactly one of three things: a claim; the reply that was saved when the
	// request was applied; or an error, ErrRunning and ErrMismatch among them. A running key with another payload is ErrMismatch:
	// waiting would not help. A Key without a Value is always granted, and nothing is saved for it.
	Claim(ctx context.Context, k Key, p Print) (Claim, *faults.Reply, error)
}

// Claim is the right to apply a request. One of its methods has to be called, once; a Claim is used by one attempt only.
type Claim interface {
	// Commit does the work and saves its reply as the key's result, in one step that nobody sees half done. An error means that
	// nothing was done, and the claim is released.
	Commit(ctx context.Context, work Work) (faults.Reply, error)
	// Release gives the right back: nothing was applied, and the next attempt may try.
	Release(ctx context.Context) error
}

// Work is what a request does to the state, and the reply that says so. It must not wait, nor keep t.
type Work func(t Tx) faults.Reply

// Tx is the state as one Work sees it: nobody else's changes come between.
type Tx interface {
	// Get gives a document by its path. Touched is false if nothing was ever put or deleted there; a deleted one is touched and nil.
	Get(path string) (document []byte, touched bool)
	// Put replaces a document; nil deletes it. The store keeps document, which is not to be changed afterwards.
	Put(path string, document []byte)
	// Apply writes an effect into the ledger.
	Apply(e journal.Effect)
}
