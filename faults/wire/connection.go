package wire

import "github.com/brownout-dev/brownout/faults/clock"

// Connection is what is known of one connection when it is over.
type Connection struct {
	Number   int          `json:"number"`           // from 1, in order of acceptance
	Origin   int          `json:"origin,omitempty"` // which address it came to; 0 = the first
	Opened   clock.Moment `json:"opened"`
	Closed   clock.Moment `json:"closed,omitempty"`    // when either side first ended it
	ClosedBy Side         `json:"closed_by,omitempty"` // who did
	Reset    bool         `json:"reset,omitempty"`     // by RST
	Requests int          `json:"requests"`            // how many request heads came on it
	Faults   []string     `json:"faults,omitempty"`    // connection faults that acted on it, in a plan's text form
}

// Side is one end of a connection.
type Side string

const (
	Client Side = "client"
	Fake   Side = "fake"
)
