package faults

import (
	"fmt"
	"slices"
	"strings"
)

// Phase is a point in a request's life at which a fault can strike.
//
//	connect ─▶ head ─▶ (body read) before-commit ─▶ (effect) after-commit ─▶ reply-head ─▶ reply-body ─▶ idle
type Phase string

// The phases, in the order in which an attempt passes them.
const (
	Connect      Phase = "connect"       // before the request; also the whole life of a connection, for byte-level faults
	Head         Phase = "head"          // head read, body not
	BeforeCommit Phase = "before-commit" // whole request read, nothing applied
	AfterCommit  Phase = "after-commit"  // effect applied, no reply byte sent
	ReplyHead    Phase = "reply-head"    // inside the status line or the header block
	ReplyBody    Phase = "reply-body"    // inside the reply's body
	Idle         Phase = "idle"          // after a whole reply, on the kept-alive connection
)

// Phases lists all phases in order.
func Phases() []Phase {
	return []Phase{Connect, Head, BeforeCommit, AfterCommit, ReplyHead, ReplyBody, Idle}
}

func parsePhase(s string) (Phase, error) {
	if p := Phase(s); slices.Contains(Phases(), p) {
		return p, nil
	}
	return "", fmt.Errorf("unknown phase %q: want one of %s", s, joinPhases(Phases()))
}

func joinPhases(ps []Phase) string {
	words := make([]string, len(ps))
	for i, p := range ps {
		words[i] = string(p)
	}
	return strings.Join(words, ", ")
}
