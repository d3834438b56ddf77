package faults

import (
	"errors"
	"strconv"
	"time"
)

// exchange is an attempt and its connection that remember what a fault did to them.
type exchange struct {
	reply   Reply
	now     time.Time
	endless bool // the play never ends, so that waits run their time; else they end at once

	deeds  []string        // what the fault did, in order
	writes []string        // what it wrote, write by write
	at     []time.Duration // when, since began
	began  time.Time
	room   int // how many writes the client stays for
}

var (
	_ Exchange = (*exchange)(nil)
	_ Raw      = (*exchange)(nil)
)

var errGone = errors.New("write: broken pipe")

// fixed is 14:05:09 UTC in a zone that is not, with a fraction of a second: all that a date must not show.
var fixed = time.Date(2026, time.March, 7, 15, 5, 9, 999_999_999, time.FixedZone("", 3600))

func sound() *exchange {
	return &exchange{
		reply: Reply{Status: 201, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: []byte(`{"id":"pay-1"}`)},
		now:   fixed, endless: true, began: time.Now(), room: 1 << 20,
	}
}

func (x *exchange) Wait(d time.Duration) bool {
	x.deeds = append(x.deeds, "wait "+d.String())
	if !x.endless {
		return false
	}
	time.Sleep(d) // virtual time: every test that waits runs inside synctest
	return true
}

func (x *exchange) Hold()          { x.deeds = append(x.deeds, "hold") }
func (x *exchange) Reset()         { x.deeds = append(x.deeds, "reset") }
func (x *exchange) Close()         { x.deeds = append(x.deeds, "close") }
func (x *exchange) Withhold()      { x.deeds = append(x.deeds, "withhold") }
func (x *exchange) Sever()         { x.deeds = append(x.deeds, "sever") }
func (x *exchange) Reply() *Reply  { return &x.reply }
func (x *exchange) Now() time.Time { return x.now }

func (x *exchange) Interim(code int) bool {
	_, err := x.Write([]byte(strconv.Itoa(code)))
	return err == nil
}

func (x *exchange) Elsewhere(path string, second bool) string {
	if second {
		return "http://127.0.0.2:41002" + path + "?operation=op-5f0c2a9d"
	}
	return path + "?operation=op-5f0c2a9d"
}

func (x *exchange) Write(p []byte) (int, error) {
	if len(x.writes) == x.room {
		return 0, errGone
	}
	x.deeds = append(x.deeds, "write")
	x.writes = append(x.writes, string(p))
	x.at = append(x.at, time.Since(x.began))
	return len(p), nil
}
