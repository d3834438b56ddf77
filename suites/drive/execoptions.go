package drive

import "time"

// ExecOptions are the limits of exec processes. The zero value has the defaults.
type ExecOptions struct {
	AtOnce int           // processes at once, over all plays of the carrier; 0 = twice the cores: more of them make a correct client late
	Grace  time.Duration // between SIGTERM and SIGKILL; 0 = DefaultGrace
	Flood  int64         // bytes on one stream after which the process is killed; 0 = DefaultFlood
}

// DefaultFlood is six times the largest body of any scenario, so that a client which prints what it got is no flood.
const DefaultFlood = 64 << 20
