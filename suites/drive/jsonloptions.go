package drive

import "time"

// JSONLOptions are the limits of a jsonl process. The zero value has the defaults.
type JSONLOptions struct {
	Hello    time.Duration // from the start of the process to its hello; 0 = DefaultHello
	Unread   time.Duration // how long it may leave a call unread; 0 = DefaultUnread
	Farewell time.Duration // between bye and SIGTERM; 0 = DefaultFarewell
	Grace    time.Duration // for the answer to a cancelled call, and between SIGTERM and SIGKILL; 0 = DefaultGrace
	Flood    int64         // bytes on stderr after which the process is killed; 0 = DefaultFlood
}

const (
	// DefaultHello is enough for a runtime that compiles at its start, on a busy machine.
	DefaultHello = 10 * time.Second
	// DefaultUnread is far longer than a reader that reads on ever takes, even for a body of 10 MiB.
	DefaultUnread = 10 * time.Second
	// DefaultFarewell is the contract's time to answer what is under way, and to end.
	DefaultFarewell = farewell
)

// maxRestarts is how many processes may follow the first one of a play: enough to see each of a few crashes, too few for a client that cannot
// stay alive to fill the play.
const maxRestarts = 5

func (o JSONLOptions) withDefaults() JSONLOptions {
	for _, d := range []struct {
		of *time.Duration
		is time.Duration
	}{{&o.Hello, DefaultHello}, {&o.Unread, DefaultUnread}, {&o.Farewell, DefaultFarewell}, {&o.Grace, DefaultGrace}} {
		if *d.of <= 0 {
			*d.of = d.is
		}
	}
	if o.Flood <= 0 {
		o.Flood = DefaultFlood
	}
	return o
}
