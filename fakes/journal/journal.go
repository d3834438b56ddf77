// Package journal is the truth of a play: what the fake really received, what it really applied, and which faults really struck.
//
// Everything is written down before the fault acts, so a lost reply never loses its record.
package journal

import (
	"net/http"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// Attempt is one HTTP request that reached the fake. Moments that were not reached are zero.
type Attempt struct {
	Number     int                `json:"number"`              // from 1 over the whole journal, in order of the head's arrival
	Operation  faults.OperationID `json:"operation,omitempty"` // empty: it carried no token
	Try        int                `json:"try"`                 // from 1 within its operation; 0 until it is known, which may take the body
	Connection int                `json:"connection"`
	Origin     int                `json:"origin,omitempty"` // which address it came to; 0 = the first
	Use        int                `json:"use"`              // which request on that connection, from 1: above 1 the connection was warm

	Method         string      `json:"method"`
	Target         string      `json:"target"` // path and query as sent
	Header         http.Header `json:"header"`
	HeaderDropped  int         `json:"header_dropped,omitempty"` // bytes of header fields that were too many to keep
	Key            string      `json:"key,omitempty"`            // the idempotency key as sent
	DeclaredLength int64       `json:"declared_length"`          // Content-Length; -1 = chunked or none given
	BodyBytes      int64       `json:"body_bytes"`
	BodySHA256     string      `json:"body_sha256,omitempty"` // of the bytes received
	BodyError      string      `json:"body_error,omitempty"`  // why the body did not arrive whole
	Fingerprint    string      `json:"fingerprint,omitempty"` // of the canonical payload, where the endpoint obeyed a key

	FirstByte  clock.Moment `json:"first_byte"`
	HeadRead   clock.Moment `json:"head_read"`
	BodyRead   clock.Moment `json:"body_read,omitempty"`
	Committed  clock.Moment `json:"committed,omitempty"`   // when its effect was applied
	ReplyFirst clock.Moment `json:"reply_first,omitempty"` // stamped before the write, so that honest waits are never short
	ReplyLast  clock.Moment `json:"reply_last,omitempty"`  // the last byte of a whole reply, stamped before its write
	Cut        clock.Moment `json:"cut,omitempty"`         // when the fake ended the attempt without a whole reply
	Gone       clock.Moment `json:"gone,omitempty"`        // when the fake noticed that the client had closed or reset the connection

	// ReplySHA256 is of the content of a 2xx, or of all that a 206 is a part of: as it was meant, whatever became of its sending.
	ReplySHA256 string `json:"reply_sha256,omitempty"`

	Status   int  `json:"status,omitempty"`   // the status the fake sent, or began to send
	Replayed bool `json:"replayed,omitempty"` // answered from the saved result of an earlier attempt with the same key
	Effect   int  `json:"effect,omitempty"`   // the number of the effect it applied; 0 = none
}

// Answered is r_k of the catalogue: when the reply's last byte was sent, or the attempt was cut; Never while it is open.
func (a Attempt) Answered() clock.Moment {
	if a.ReplyLast.Happened() {
		return a.ReplyLast
	}
	return a.Cut
}

// Effect is one committed change in the fake's ledger.
type Effect struct {
	Number    int                `json:"number"` // from 1
	Operation faults.OperationID `json:"operation,omitempty"`
	Attempt   int                `json:"attempt"` // the number of the attempt that applied it
	Key       string             `json:"key,omitempty"`
	What      string             `json:"what"`     // "payment 1200 EUR", "PUT /x"
	Resource  string             `json:"resource"` // path of what it made or changed
	At        clock.Moment       `json:"at"`
}

// Decision is what the plan said of one fault and one attempt (or connection), and what came of it.
type Decision struct {
	Operation  faults.OperationID `json:"operation,omitempty"`
	Attempt    int                `json:"attempt,omitempty"`    // 0: it is about a connection
	Connection int                `json:"connection,omitempty"` // 0: it is about the whole listener
	Fault      string             `json:"fault"`                // in a plan's text form: "reset after-commit"
	Phase      faults.Phase       `json:"phase"`
	Result     Result             `json:"result"`
	Reason     string             `json:"reason,omitempty"` // why it did not fire, or fired without a plan
	At         clock.Moment       `json:"at"`
}

// Result is what came of a fault that the plan asked for.
type Result string

const (
	Fired   Result = "fired"
	Skipped Result = "skipped" // chance said no, or the attempt ended before its phase
)
