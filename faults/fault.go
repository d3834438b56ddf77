// Package faults holds what can go wrong: one fault per file, and the scripts and plans that say which attempt meets which.
//
// A fault is a phase plus an action. Kinds lists them all; a plan that asks for a pair that cannot be done is refused when it is
// loaded, with the reason. Nothing here is random: see [Script.For].
package faults

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// OperationID names one thing the caller wants done, once. It travels inside the request, so that attempts can be
// grouped without trusting the idempotency key that is there to be judged.
type OperationID string

// Fault is one thing that goes wrong: an action and the phase at which it strikes.
type Fault struct {
	At     Phase
	Action Action
}

// Action is what goes wrong. Each also has one of the abilities [Striker], [Sender], [Keeper], [Door] or [Chain], which says who carries it out.
// Actions are plain values: they are shared by all attempts of a play and never change.
type Action interface {
	Kind() Kind
	// Check says what is wrong with the action's own values, naming the field and what would be right.
	Check() error
	// String is the action in a plan's text form, without its phase: "delay 300ms".
	String() string
}

// Kind describes one kind of fault to those who write plans and read reports.
type Kind struct {
	Name   string  // what plans call it
	Phases []Phase // where it can strike; the first is the default
	Wire   string  // what the client sees on the wire
	Main   string  // the field that a bare value sets in the text form: "delay 300ms" sets "for"
}

// String is the fault in a plan's text form: "reset after-commit".
func (f Fault) String() string { return f.Action.String() + " " + string(f.At) }

// MarshalYAML writes the fault in its text form.
func (f Fault) MarshalYAML() ([]byte, error) { return []byte(quoteYAML(f.String())), nil }

// Check refuses a pair that cannot be done, with the reason.
func (f Fault) Check() error {
	if f.Action == nil {
		return errors.New("got no fault, want one such as \"reset after-commit\"")
	}
	if _, err := parsePhase(string(f.At)); err != nil {
		return err
	}
	k := f.Action.Kind()
	if !slices.Contains(k.Phases, f.At) {
		return fmt.Errorf("%s cannot strike at %s: %s; want at: %s", k.Name, f.At, f.misplaced(), joinPhases(k.Phases))
	}
	return f.Action.Check()
}

// misplaced is the reason why an action cannot strike at a phase that is none of its own.
func (f Fault) misplaced() string {
	switch f.Action.(type) {
	case Door:
		return "it meets a client that connects"
	case Chain:
		return "it acts on a connection for its whole life"
	case Sender:
		if f.At == ReplyBody {
			return "the head has been sent by then"
		}
		return "it spoils the sending of a reply"
	case Keeper:
		return "it is kept with the effect"
	case *Sever:
		return "only a request that was read whole, and not applied yet, can run on"
	}
	switch f.At {
	case Connect:
		return "no request has come yet"
	case Idle:
		return "the reply is whole by then"
	case Head, BeforeCommit, AfterCommit:
		return "there is nothing then that it could act on"
	}
	return "the reply is being sent, and truncate, drip and stall are what can spoil it"
}

// named gives a fresh action of the kind that plans call name, for its fields to be decoded into.
func named(name string) (Action, error) {
	var names []string
	for _, a := range Kinds() {
		if a.Kind().Name == name {
			return a, nil
		}
		names = append(names, a.Kind().Name)
	}
	return nil, fmt.Errorf("unknown fault %q: want one of %s", name, strings.Join(names, ", "))
}
