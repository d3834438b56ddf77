package fakes

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/fakes/stores"
	"github.com/brownout-dev/brownout/faults"
)

// The headers of idempotent requests and of their replies.
const (
	KeyHeader      = "Idempotency-Key"     // draft-ietf-httpapi-idempotency-key-header, 2
	ReplayedHeader = "Idempotent-Replayed" // "true" on a reply that was saved earlier

	// MaxKey is the longest key that is taken, in octets, as with most APIs that publish a bound.
	MaxKey = 255
)

// keyRule is what an endpoint thinks of idempotency keys.
type keyRule int

const (
	keyIgnored  keyRule = iota // each request stands for itself
	keyOptional                // obeyed if it is there
	keyRequired
)

// ask finds out what the request may do: x.claim is the right to apply it, or x.verdict is the reply that stands against that. The
// caller's access comes first, so that a key never shows a result to someone who has lost it.
func (x *exchange) ask() faults.Step {
	caller := callerOf(x.r)
	key, problem := x.keyOf()
	switch {
	case !x.fake.access.allows(caller):
		x.refuse(http.StatusForbidden, "this caller's access was revoked")
		return faults.GoOn
	case problem != "":
		x.refuse(http.StatusBadRequest, problem)
		return faults.GoOn
	}
	x.key = key
	var print stores.Print
	if key != "" {
		print = x.body.print()
		x.fake.journal.Update(x.number, func(a *journal.Attempt) { a.Fingerprint = hex.EncodeToString(print[:]) })
	}
	scoped := stores.Key{Caller: caller, Method: x.r.Method, Path: x.r.URL.EscapedPath(), Value: key}
	claim, saved, err := x.fake.store.Claim(x.fake.playing, scoped, print)
	switch {
	case errors.Is(err, stores.ErrRunning):
		x.refuse(http.StatusConflict, "a request with this "+KeyHeader+" is still running: ask again later, with the same key")
	case errors.Is(err, stores.ErrMismatch):
		x.refuse(http.StatusUnprocessableEntity, "this "+KeyHeader+" was used with another payload: a new operation wants a new key")
	case err != nil:
		reply := x.storeFailed(err)
		x.verdict = &reply
	case saved != nil:
		x.verdict, x.replayed = saved, true
	default:
		x.claim = claim
	}
	return faults.GoOn
}

func (x *exchange) refuse(status int, detail string) {
	reply := refuse(x.operation, status, detail)
	x.verdict = &reply
}

// keyOf gives the key that the endpoint is to obey, or what is wrong with it.
func (x *exchange) keyOf() (key, problem string) {
	keys := x.r.Header.Values(KeyHeader)
	switch rule := x.endpoint.keys; {
	case rule == keyIgnored:
		return "", ""
	case len(keys) > 1:
		return "", KeyHeader + " stands more than once: want one"
	case len(keys) == 0 || keys[0] == "":
		if rule == keyRequired {
			return "", KeyHeader + " is missing: want one, the same on each attempt of an operation"
		}
		return "", ""
	case len(keys[0]) > MaxKey:
		return "", fmt.Sprintf("%s is %d octets long: want at most %d", KeyHeader, len(keys[0]), MaxKey)
	}
	return keys[0], ""
}

// release gives the claim back, if there is one. It has to happen before the client can learn that the attempt is over, or else its next
// one would be told that this one is still running.
func (x *exchange) release() {
	if x.claim == nil {
		return
	}
	claim := x.claim
	x.claim = nil
	if err := claim.Release(context.WithoutCancel(x.fake.playing)); err != nil {
		x.fake.fail(fmt.Errorf("release of a claim: %w", err))
	}
}

// storeFailed is the reply to a request that could not be looked after. It is a failure of the fake, not of the client, and shows as one
// when the fake is closed.
func (x *exchange) storeFailed(err error) faults.Reply {
	x.fake.fail(fmt.Errorf("attempt %d: %w", x.number, err))
	return refuse(x.operation, http.StatusInternalServerError, "the fake's store failed")
}
