// Package clock is the one monotonic clock that everything in a play is stamped with.
package clock

import (
	"fmt"
	"time"
)

// lead is what every clock starts at, so that no real moment is zero: in virtual time things happen at the very
// instant a play begins, and zero has to go on meaning "never".
const lead = time.Millisecond

// Moment is a point of a play: the monotonic time since its clock began. The zero Moment means "never".
type Moment time.Duration

// Never is the moment of something that did not happen.
const Never Moment = 0

// Happened tells whether the moment is of something that did happen.
func (m Moment) Happened() bool { return m != Never }

// Sub gives the time from earlier to m.
func (m Moment) Sub(earlier Moment) time.Duration { return time.Duration(m - earlier) }

// Add gives the moment d after m.
func (m Moment) Add(d time.Duration) Moment { return m + Moment(d) }

// String is exact and can be read back: "1.004231873s". Never is empty.
func (m Moment) String() string {
	if m == Never {
		return ""
	}
	return time.Duration(m).String()
}

// MarshalText writes the moment without loss, so that a saved transcript is judged exactly as the live one was.
func (m Moment) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (m *Moment) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*m = Never
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("moment %q: want a duration such as 1.5s: %w", text, err)
	}
	*m = Moment(d)
	return nil
}

// Clock tells the moments of one play. It never goes backwards and is safe for concurrent use.
type Clock struct{ began time.Time }

// Start begins a clock now.
func Start() Clock { return Clock{began: time.Now()} }

// Now is the present moment; it is never Never.
func (c Clock) Now() Moment { return Moment(time.Since(c.began) + lead) }

// Wall gives the wall-clock time of a moment, for people and for dates that are sent; waits are never judged on it.
func (c Clock) Wall(m Moment) time.Time { return c.began.Add(time.Duration(m) - lead) }

// At gives the moment of a time that was read on this machine since the clock began; earlier times are the clock's first moment.
func (c Clock) At(t time.Time) Moment { return Moment(max(t.Sub(c.began), 0) + lead) }
