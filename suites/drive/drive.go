// Package drive calls the client under test: one operation in, one outcome out. Every carrier (exec, jsonl, Go) yields the same results.
//
// Adapters are not trusted. What they print is bounded, what they leave behind is killed, and what they get wrong ends in a clear
// message with their last words, never in a hung run.
package drive

import (
	"context"
	"net"
	"time"

	"github.com/brownout-dev/brownout/faults"
)

// Call is one operation to be done, once, by its deadline.
type Call struct {
	Operation faults.OperationID
	Method    string
	URL       string
	Headers   map[string]string // to be sent as they are
	Body      []byte
	Type      string        // Content-Type of Body
	Stream    bool          // Body is to be sent from a source that can be read once; only for clients with the feature "stream-body"
	Key       string        // an idempotency key; an offer, unless KeyGiven
	KeyGiven  bool          // Key is to be used as it is
	KeyHeader string        // the header in which this endpoint takes keys; empty: it knows none, so a key makes nothing safe there
	Deadline  time.Duration // from the moment the call is read; 0 = none given
	Policy    *Policy       // another retry policy for this call; only for clients with the feature "policy"
	// Patience is how long after Result.Began the play waits before it gives up on the call; 0 = until ctx ends. Time that a call waits
	// for a place among the exec processes is not part of it.
	Patience time.Duration
}

// Outcome is what the client told its caller.
type Outcome string

const (
	OK      Outcome = "ok"
	Failed  Outcome = "failed"  // surely not applied
	Unknown Outcome = "unknown" // may have been applied
	Error   Outcome = "error"   // it did not say which
)

// Result is a client's answer to a call.
type Result struct {
	Outcome Outcome
	Status  int    // of the last reply received; 0 = none
	Body    []byte // what the caller was given; nil where only its digest was told, or nothing
	// BodySHA256 (hex) and BodyBytes are of what the caller was given, whether Body holds it or not; "" = the client did not say.
	BodySHA256 string
	BodyBytes  int64
	Err        string // the client's own words
	// Trouble is what was wrong with the adapter itself, with its last words; empty for an honest answer. A client that had to be
	// killed because it did not come back has Killed set as well: that is a finding, not a fault of the harness.
	Trouble string
	Killed  bool
	// GaveUp tells that the play gave up before the client came back: ctx ended, or Call.Patience was over. A client that is told so may
	// still answer; then it was not Killed.
	GaveUp bool
	// Began and Ended enclose the call: an exec client's process from its start to its end, a jsonl client's call from the moment its line
	// is written to the moment its answer's line is read, a Go client's Do. They are always set.
	Began, Ended time.Time
	// LastWords are the last lines that a client's process wrote to stdout and stderr, for people.
	LastWords string
}

// Client is a client under test. Do may be called concurrently; ctx ends only when the play gives up on the call, well after its
// deadline: keeping the deadline is the client's business.
type Client interface {
	Do(ctx context.Context, call Call) Result
}

// Func makes a function a Client.
type Func func(ctx context.Context, call Call) Result

func (f Func) Do(ctx context.Context, call Call) Result { return f(ctx, call) }

// Dial is how a client under test reaches the fake: a transport's DialContext.
type Dial func(ctx context.Context, network, addr string) (net.Conn, error)

// Carrier brings a client to life for each play. Each play has a client of its own.
type Carrier interface {
	Hello() Hello
	// New starts a client. done ends it, waits until nothing of it is left and says what was left behind.
	New(ctx context.Context, dial Dial) (c Client, done func() error, err error)
}

// Hello is what a client says of itself.
type Hello struct {
	Name     string    `json:"name" yaml:"name"`
	Version  string    `json:"version,omitempty" yaml:"version"`
	Driver   string    `json:"driver" yaml:"-"` // exec, jsonl, go
	Features []Feature `json:"features" yaml:"features"`
	Claims   Claims    `json:"claims" yaml:"claims"`
}
