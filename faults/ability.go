package faults

import "time"

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

// Keeper is a fault in what comes of a request: within the commit it spoils the reply that is kept for the request's key, and sent.
type Keeper interface{ Keep(r *Reply) }

// Sparer is a Sender that may leave the connection open after its whole reply, for net/http to read the next request on it.
// It waits for moments only: until it is done, nobody looks for the client's going.
type Sparer interface {
	Sender
	Spares() bool
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
	// Interim sends an interim reply (1xx) at once; false: the client has gone or the play has ended, and the attempt is over.
	Interim(code int) bool
	// Withhold sees to it that the request's body is read without a word of 100 (Continue).
	Withhold()
	// Reply is the reply to be sent; a fault may change it. Before the commit it is an empty 200.
	Reply() *Reply
	// Now is the wall time that Retry-After dates are computed from.
	Now() time.Time
	// Reset ends the connection with RST, Close with FIN; bytes that were not sent yet are dropped.
	Reset()
	Close()
	// Sever ends the connection with RST as well, but the request runs on, and keeps the right to its key.
	Sever()
	// Elsewhere is where a redirect to a path leads: with the request's own query, on the origin that it came to, or on the second.
	Elsewhere(path string, second bool) string
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

// Toxic is one Toxiproxy toxic, in the words of its API.
type Toxic struct {
	Type       string         `json:"type"`
	Stream     string         `json:"stream"` // upstream: client to fake; downstream: fake to client
	Attributes map[string]any `json:"attributes"`
}
