package suites

import (
	"net/http"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/suites/drive"
	"github.com/brownout-dev/brownout/suites/transcript"
)

func TestTells(t *testing.T) {
	began := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	const ms = time.Millisecond
	tests := []struct {
		name   string
		format drive.DeadlineFormat
		values []string
		left   time.Duration
		step   time.Duration
		bad    bool
		why    string
	}{
		{"milliseconds", drive.MillisecondsLeft, []string{"1500"}, 1500 * ms, ms, false, ""},
		{"part of a millisecond", drive.MillisecondsLeft, []string{"1500.5"}, 1500500 * time.Microsecond, 0, false, "as it is written"},
		{"seconds", drive.SecondsLeft, []string{"2"}, 2 * time.Second, time.Second, false, "rounded, nobody knows which way"},
		{"part of a second", drive.SecondsLeft, []string{"1.25"}, 1250 * ms, 0, false, ""},
		{"no seconds, and no part of one", drive.SecondsLeft, []string{"0.000"}, 0, 0, false, "it is written to the millisecond"},
		{"gRPC milliseconds", drive.GRPCTimeout, []string{"1500m"}, 1500 * ms, ms, false, ""},
		{"gRPC microseconds", drive.GRPCTimeout, []string{"4999123u"}, 4999123 * time.Microsecond, time.Microsecond, false, ""},
		{"gRPC hours", drive.GRPCTimeout, []string{"1H"}, time.Hour, time.Hour, false, ""},
		{"date", drive.RFC3339Time, []string{"2026-03-04T05:06:10.5Z"}, 1500 * ms, 0, false, "two seconds of the play are over"},
		{"date to the millisecond", drive.RFC3339Time, []string{"2026-03-04T05:06:10.000Z"}, time.Second, 0, false, ""},
		{"date to the second", drive.RFC3339Time, []string{"2026-03-04T05:06:10Z"}, time.Second, time.Second, false, ""},
		{"date in another zone", drive.RFC3339Time, []string{"2026-03-04T06:06:10.5+01:00"}, 1500 * ms, 0, false, ""},
		{"date that has passed", drive.RFC3339Time, []string{"2026-03-04T05:06:08.5Z"}, -500 * ms, 0, false, ""},
		{"more than a duration holds", drive.SecondsLeft, []string{"1e30"}, maxWait, time.Second, false, "must not overflow"},
		{"negative", drive.MillisecondsLeft, []string{"-1"}, 0, 0, true, ""},
		{"words", drive.MillisecondsLeft, []string{"soon"}, 0, 0, true, ""},
		{"not a number", drive.MillisecondsLeft, []string{"NaN"}, 0, 0, true, ""},
		{"empty", drive.SecondsLeft, []string{""}, 0, 0, true, ""},
		{"gRPC without a unit", drive.GRPCTimeout, []string{"1500"}, 0, 0, true, ""},
		{"gRPC with too many digits", drive.GRPCTimeout, []string{"123456789n"}, 0, 0, true, "eight at the most"},
		{"gRPC with a fraction", drive.GRPCTimeout, []string{"1.5S"}, 0, 0, true, ""},
		{"gRPC with a unit alone", drive.GRPCTimeout, []string{"S"}, 0, 0, true, ""},
		{"date without a zone", drive.RFC3339Time, []string{"2026-03-04T05:06:10"}, 0, 0, true, ""},
		{"two fields", drive.MillisecondsLeft, []string{"1", "2"}, 0, 0, true, "they contradict each other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := journal.Attempt{Header: http.Header{"Time-Left": tt.values}, FirstByte: clock.Moment(2 * time.Second)}
			got, said, err := tells(transcript.Transcript{Started: began}, a, drive.DeadlineHeader{Name: "time-left", Format: tt.format})
			if !said || (err != nil) != tt.bad {
				t.Fatalf("got said %t, error %v, want bad %t", said, err, tt.bad)
			}
			if want := (told{tt.left, tt.step}); !tt.bad && got != want {
				t.Errorf("got %v, want %v: %s", got, want, tt.why)
			}
		})
	}
}

func TestTellsNothing(t *testing.T) {
	a := journal.Attempt{Header: http.Header{}}
	if _, said, err := tells(transcript.Transcript{}, a, drive.DeadlineHeader{Name: "Time-Left", Format: drive.MillisecondsLeft}); said || err != nil {
		t.Errorf("got said %t, %v, want nothing said", said, err)
	}
	a.Header.Set("Time-Left", "2026-03-04T05:06:10Z")
	if _, _, err := tells(transcript.Transcript{}, a, drive.DeadlineHeader{Name: "Time-Left", Format: drive.RFC3339Time}); err == nil {
		t.Error("got no error for a date without a clock to compare it with")
	}
}
