package faults

import (
	"slices"
	"testing"
)

// At 14:05:09 UTC on Saturday, 7 March 2026: see fixed. What a client does with each is for the rules to judge; here it only has to be sent.
func TestRetryAfterValues(t *testing.T) {
	for _, row := range []struct {
		name   string
		values RetryAfter
		want   []string
	}{
		{"seconds", RetryAfter{"2"}, []string{"2"}},
		{"zero", RetryAfter{"0"}, []string{"0"}},
		{"negative", RetryAfter{"-5"}, []string{"-5"}},
		{"fraction keeps its zeros", RetryAfter{"1.50"}, []string{"1.50"}},
		{"huge", RetryAfter{"86400"}, []string{"86400"}},
		{"overflow of 64 bits", RetryAfter{"18446744073709551616"}, []string{"18446744073709551616"}},
		{"overflow of floats", RetryAfter{"1e400"}, []string{"1e400"}},
		{"hexadecimal", RetryAfter{"0x10"}, []string{"0x10"}},
		{"words", RetryAfter{"soon"}, []string{"soon"}},
		{"empty", RetryAfter{""}, []string{""}},
		{"list in one field", RetryAfter{"1,2"}, []string{"1,2"}},
		{"two fields", RetryAfter{"1", "2"}, []string{"1", "2"}},
		{"a field and a date", RetryAfter{"1", "date+1s"}, []string{"1", "Sat, 07 Mar 2026 14:05:10 GMT"}},
		{"date", RetryAfter{"date+3s"}, []string{"Sat, 07 Mar 2026 14:05:12 GMT"}},
		{"now: the fraction is cut, not rounded", RetryAfter{"date+0s"}, []string{"Sat, 07 Mar 2026 14:05:09 GMT"}},
		{"over midnight and a month", RetryAfter{"date+600h"}, []string{"Wed, 01 Apr 2026 14:05:09 GMT"}},
		{"past", RetryAfter{"date-1h"}, []string{"Sat, 07 Mar 2026 13:05:09 GMT"}},
		{"far", RetryAfter{"date+2400000h"}, []string{"Thu, 21 Dec 2299 14:05:09 GMT"}},
		{"rfc850", RetryAfter{"rfc850+3s"}, []string{"Saturday, 07-Mar-26 14:05:12 GMT"}},
		{"asctime pads the day with a space", RetryAfter{"asctime+3s"}, []string{"Sat Mar  7 14:05:12 2026"}},
		{"epoch", RetryAfter{"epoch+3s"}, []string{"1772892312"}},
		{"epoch in the past", RetryAfter{"epoch-1m"}, []string{"1772892249"}},
		{"a date of the plan's own stays", RetryAfter{"Fri, 31 Dec 1999 23:59:59 GMT"}, []string{"Fri, 31 Dec 1999 23:59:59 GMT"}},
		{"a word with a sign is only a word", RetryAfter{"late-1h"}, []string{"late-1h"}},
		{"a plan that was never checked sends what it says", RetryAfter{"date+soon"}, []string{"date+soon"}},
		{"none", nil, []string{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := row.values.Values(fixed); !slices.Equal(got, row.want) {
				t.Errorf("got %q, want %q", got, row.want)
			}
		})
	}
}
