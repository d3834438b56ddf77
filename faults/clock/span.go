package clock

import (
	"fmt"
	"time"
)

// Span is a length of time that is written as people write it: "1.5s". Zero is written as "0s".
type Span time.Duration

func (s Span) String() string { return time.Duration(s).String() }

// MarshalText writes the span without loss.
func (s Span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *Span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q: want a duration such as 300ms or 2s", text)
	}
	*s = Span(d)
	return nil
}
