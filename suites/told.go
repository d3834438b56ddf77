package suites

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

// told is how much time an attempt says that its caller has left, when it came.
type told struct {
	left time.Duration
	step time.Duration // the smallest difference that its words can make
}

// header gives where the client says that it tells the time left. Without that nothing is tested.
func (b *Bench) header() (h drive.DeadlineHeader, ok bool) {
	h = b.Client.Claims.DeadlineHeader
	if h.Name == "" {
		b.NotTested("it is not known where the client tells the time left: claim deadline_header with its name and format")
		return h, false
	}
	return h, true
}

// tells reads what an attempt says of the time left. said is false where it says nothing.
func tells(t transcript.Transcript, a journal.Attempt, h drive.DeadlineHeader) (w told, said bool, err error) {
	values := a.Header.Values(h.Name)
	switch {
	case len(values) == 0:
		return told{}, false, nil
	case len(values) > 1:
		return told{}, true, fmt.Errorf("%s is there %d times", h.Name, len(values))
	}
	if h.Format == drive.RFC3339Time {
		w, err = toldDate(t, a, values[0])
	} else {
		w, err = toldSpan(values[0], h.Format)
	}
	return w, true, err
}

// toldSpan reads a length of time: a number of milliseconds or seconds, or what gRPC calls a timeout.
func toldSpan(value string, format drive.DeadlineFormat) (told, error) {
	unit := map[drive.DeadlineFormat]time.Duration{drive.MillisecondsLeft: time.Millisecond, drive.SecondsLeft: time.Second}[format]
	number := value
	if format == drive.GRPCTimeout {
		var err error
		if number, unit, err = gRPC(value); err != nil {
			return told{}, err
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return told{}, fmt.Errorf("%q is no %s", value, format)
	}
	w := told{left: time.Duration(min(n*unit.Seconds(), maxWait.Seconds()) * float64(time.Second)), step: unit}
	if strings.Contains(number, ".") {
		w.step = 0
	}
	return w, nil
}

// gRPC takes a timeout apart: up to eight digits and a unit (gRPC over HTTP2, Requests).
func gRPC(value string) (number string, unit time.Duration, err error) {
	units := map[byte]time.Duration{
		'H': time.Hour, 'M': time.Minute, 'S': time.Second, 'm': time.Millisecond, 'u': time.Microsecond, 'n': time.Nanosecond,
	}
	const mostDigits = 8
	n := len(value) - 1
	if n < 1 || n > mostDigits || units[value[n]] == 0 {
		return "", 0, fmt.Errorf("%q is no grpc: want up to %d digits and one of H, M, S, m, u, n", value, mostDigits)
	}
	if _, err := strconv.ParseUint(value[:n], 10, 64); err != nil {
		return "", 0, fmt.Errorf("%q is no grpc: want digits and a unit", value)
	}
	return value[:n], units[value[n]], nil
}

// toldDate reads a point in time, which leaves less the later the attempt comes.
func toldDate(t transcript.Transcript, a journal.Attempt, value string) (told, error) {
	date, err := time.Parse(time.RFC3339Nano, value)
	if err != nil {
		return told{}, fmt.Errorf("%q is no %s", value, drive.RFC3339Time)
	}
	came, ok := t.Wall(a.FirstByte)
	if !ok {
		return told{}, fmt.Errorf("%q: the transcript does not tell what time it was", value)
	}
	w := told{left: date.Sub(came)}
	if !strings.Contains(value, ".") {
		w.step = time.Second
	}
	return w, nil
}

// timeLeftAt is how much of an operation's time was left when an attempt came.
func timeLeftAt(op transcript.Op, a journal.Attempt) time.Duration {
	return time.Duration(op.Deadline) - a.FirstByte.Sub(op.Began)
}
