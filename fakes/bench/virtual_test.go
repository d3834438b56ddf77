package main

import (
	"testing"
	"testing/synctest"
	"time"
)

// Virtual time is exact: requests of 1.2 s one after another take a minute, to the nanosecond, however many clients send them.
func TestPlay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each = 50
		got, err := play(each)
		if want := (played{virtualClients * each, time.Minute}); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	})
}
