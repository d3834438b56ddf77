package drive

import "time"

// ExecOptions are the limits of exec processes. The zero value has the defaults.
type ExecOptions struct {
	AtOnce int           // processes at once, over all plays of the carrier; 0 = DefaultAtOnce for each core
	Grace  time.Duration // between SIGTERM and SIGKILL; 0 = DefaultGrace
	Flood  int64         // bytes on one stream after which the process is killed; 0 = DefaultFlood
}

// DefaultFlood is six times the largest body of any scenario, so that a client which prints what it got is no flood.
const DefaultFlood = 64 << 20

// What keeps a machine from making a correct client late. It is starting that costs: dozens of processes that start together are late, each of
// them, while a process that waits for its next attempt costs nothing. So no more than two for each core are starting, and eight are there.
const (
	DefaultAtOnce  = 8
	startingAtOnce = 2
	// startTime is how long a process counts as starting. A Python interpreter takes a tenth of a second, or half of one behind a shim.
	startTime = 500 * time.Millisecond
)
