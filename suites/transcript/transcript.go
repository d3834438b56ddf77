// Package transcript holds everything of a play on one monotonic clock. A saved transcript is judged exactly as the live one was.
package transcript

import (
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
)

// Schema names the form of a saved transcript.
const Schema = "brownout.transcript/v1"

// Transcript is one run of a scenario against one client.
type Transcript struct {
	Schema          string       `json:"schema"`
	Scenario        string       `json:"scenario"`
	ScenarioText    string       `json:"scenario_text"` // the YAML that was played
	Lab             string       `json:"lab"`           // real or virtual
	Seed            uint64       `json:"seed"`
	Capacity        int          `json:"capacity,omitempty"` // requests that each origin served within any second; 0 = as many as came
	Client          drive.Hello  `json:"client"`
	Overhead        clock.Span   `json:"overhead"`         // the most that the adapter itself was seen to take, before the run
	Lateness        clock.Span   `json:"lateness"`         // how late a timer was at the worst, during the play
	TypicalLateness clock.Span   `json:"typical_lateness"` // what three timers in four were not later than
	QuietFor        clock.Span   `json:"quiet_for"`        // how long the fake listened on after the last operation had ended
	Ended           clock.Moment `json:"ended"`
	Started         time.Time    `json:"started,omitzero"` // the wall-clock time of the clock's zero

	Operations []Operation `json:"operations"`
	Skipped    []Skipped   `json:"skipped,omitempty"`
	journal.Record
	Failure string   `json:"failure,omitempty"` // what failed in the fake itself: then nothing of the play is to be judged
	Trouble []string `json:"trouble,omitempty"` // what was wrong with the adapter or the play itself
}

// Operation is one thing the client was asked to do, and what it told its caller.
type Operation struct {
	ID          faults.OperationID `json:"id"`
	Case        string             `json:"case"`
	Script      string             `json:"script"`           // the faults planned for it, in a plan's text form
	Chance      bool               `json:"chance,omitempty"` // its faults were rolled for
	Method      string             `json:"method"`
	Target      string             `json:"target"` // path and query
	KeyHeader   string             `json:"key_header,omitempty"`
	KeyGiven    string             `json:"key_given,omitempty"`    // the key that the suite ordered the client to use
	KeyOffered  string             `json:"key_offered,omitempty"`  // the key that the client was free to use
	Origin      int                `json:"origin,omitempty"`       // the address that it was sent to; 0 = the first
	Warm        bool               `json:"warm,omitempty"`         // it was to travel on a connection that had been used before
	Cold        bool               `json:"cold,omitempty"`         // it was to travel on a fresh connection
	MaxAttempts int                `json:"max_attempts,omitempty"` // the policy asked for with the call; 0 = the client's own
	Base        clock.Span         `json:"base"`                   // of the policy asked for; 0s = the client's own
	Cap         clock.Span         `json:"cap"`
	Deadline    clock.Span         `json:"deadline"`     // 0s = none given
	CancelAfter clock.Span         `json:"cancel_after"` // when the caller cancelled, from the beginning; 0s = never
	BodyBytes   int64              `json:"body_bytes"`
	BodySHA     string             `json:"body_sha256,omitempty"`

	Began      clock.Moment  `json:"began"`
	Ended      clock.Moment  `json:"ended"`
	Outcome    drive.Outcome `json:"outcome"`
	Status     int           `json:"status,omitempty"`
	Err        string        `json:"error,omitempty"`
	ReplyBytes int64         `json:"reply_bytes,omitempty"` // of the body that the caller was given
	ReplySHA   string        `json:"reply_sha256,omitempty"`
	GaveUp     bool          `json:"gave_up,omitempty"`    // it did not come back in time, and the play gave up on it
	Trouble    string        `json:"trouble,omitempty"`    // what was wrong with the adapter itself
	LastWords  string        `json:"last_words,omitempty"` // the last lines an exec client wrote
}

// Skipped is a case that this client could not be asked to do.
type Skipped struct {
	Case   string `json:"case"`
	Reason string `json:"reason"`
}
