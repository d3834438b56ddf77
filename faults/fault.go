// Package faults holds what can go wrong: one fault per file, and the scripts and plans that say which attempt meets which.
//
// A fault is a phase plus an action. Kinds lists them all; a plan that asks for a pair that cannot be done is refused when it is
// loaded, with the reason. Nothing here is random: see [Script.For].
package faults

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// OperationID names one thing the caller wants done, once. It travels inside the request, so that attempts can be
// grouped without trusting the idempotency key that is there to be judged.
type OperationID string

// Fault is one thing that goes wrong: an action and the phase at which it strikes.
type Fault struct {
	At     Phase
	Action Action
}

// Action is what goes wrong. Each also has one of the abilities [Striker], [Sender], [Door] or [Chain], which says who carries it out.
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

// Step says how an attempt goes on after a fault has struck.
type Step int

const (
	GoOn   Step = iota // as if nothing had happened
	Answer             // skip to the reply, which the fault has set
	Over               // nothing more is sent: the connection is gone, or left for dead
)

// Striker is a fault inside the exchange, before the reply is sent.
type Striker interface{ Strike(x Exchange) Step }

// Sender is a fault in the sending of the reply: it writes the bytes of x.Reply() itself, spoiled from the given phase on. The
// connection is closed (FIN) afterwards unless the fault has already ended it. whole tells that a whole reply was sent; err, that
// the client went away before the fault was done.
//
// A reply that never has a body (see [Reply.HasBody]) gives a fault at reply-body no room: the fake records it as skipped, with
// that reason, and sends the reply as it is.
type Sender interface {
	Send(at Phase, x Exchange, w Raw) (whole bool, err error)
}

// Door is a fault of the listener or of a connection as it is accepted, before any byte is read.
type Door interface{ Door() Welcome }

// Chain is a byte-level fault, carried out by Toxiproxy toxics on one connection for its whole life.
type Chain interface{ Toxics() []Toxic }

// Exchange is one attempt in the hands of the fake, as a fault sees it.
type Exchange interface {
	// Wait returns after d, or at once when the play ends (false). A client that has gone does not end it: servers go on working.
	Wait(d time.Duration) bool
	// Hold returns when the client has gone or the play ends.
	Hold()
	// Reply is the reply to be sent; a fault may change it. Before the commit it is an empty 200.
	Reply() *Reply
	// Now is the wall time that Retry-After dates are computed from.
	Now() time.Time
	// Reset ends the connection with RST, Close with FIN; bytes that were not sent yet are dropped.
	Reset()
	Close()
}

// Raw is the client's connection, below HTTP.
type Raw interface {
	// Write sends bytes at once, in one segment where the network allows it.
	Write(p []byte) (int, error)
}

// Welcome is what awaits a client that connects.
type Welcome struct {
	Door Treatment
	For  time.Duration // how long from the start of the play; Refuse and Blackhole only, 0 = for all of it
}

// Treatment is one way to receive a connection.
type Treatment int

const (
	Refuse         Treatment = iota + 1 // the port is closed: ECONNREFUSED. Of all connections during the window: no one sees which came
	Blackhole                           // SYNs go unanswered: the client's connect timeout. Of all connections during the window
	AcceptAndClose                      // accepted, then FIN
	AcceptAndReset                      // accepted, then RST
	AcceptAndStall                      // accepted, then never read nor written
)

// Reply is a whole HTTP reply.
type Reply struct {
	Status  int
	Header  http.Header
	Body    []byte
	Chunked bool // framed by chunks instead of Content-Length
	ToHead  bool // the reply to a HEAD request: its body is described by the head, and never sent
}

// Toxic is one Toxiproxy toxic, in the words of its API.
type Toxic struct {
	Type       string         `json:"type"`
	Stream     string         `json:"stream"` // upstream: client to fake; downstream: fake to client
	Attributes map[string]any `json:"attributes"`
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
	}
	switch f.At {
	case Connect:
		return "no request has come yet"
	case Idle:
		return "the reply is whole by then"
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
