package portrait

import "time"

// refusedConnection is a cause of which the fake sees nothing.
const refusedConnection = "a refused connection"

// Within what time a client that does not try again is sure to answer, and by how much longer than the others in its play a first try may take.
const (
	promptly      = 100 * time.Millisecond
	dispatchSlack = 50 * time.Millisecond
)

// refusals tallies the operations that began so long before connections were accepted that their first try was refused. What came in the end had been
// tried again. If nothing came, a client that took its time may have tried in vain: that tells nothing.
func refusals(e evidence) (c Cause, told bool) {
	slowest := map[string]time.Duration{} // until a first attempt, by play
	for _, o := range e.ops {
		if o.opened.Happened() && o.Began > o.opened && len(o.Attempts) > 0 {
			slowest[o.play] = max(slowest[o.play], o.Attempts[0].FirstByte.Sub(o.Began))
		}
	}
	c.What = refusedConnection
	for _, o := range e.ops {
		usual, seen := slowest[o.play]
		if !seen || o.opened.Sub(o.Began) <= usual+dispatchSlack || len(o.Attempts) == 0 && o.Elapsed() > promptly {
			continue
		}
		t := &c.Repeatable
		if o.Method == "POST" && o.KeyHeader == "" {
			t = &c.Unkeyed
		}
		t.Seen++
		if len(o.Attempts) > 0 {
			t.Repeated++
		}
	}
	return c, c.Repeatable.Seen+c.Unkeyed.Seen > 0
}
