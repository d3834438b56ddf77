package wire

import (
	"testing"

	"github.com/brownout-dev/brownout/faults"
)

// odd is a fault that says more than it can.
type odd struct {
	faults.Action
	welcome faults.Treatment
}

func (o odd) Door() faults.Welcome { return faults.Welcome{Door: o.welcome} }

type idle struct{ faults.Action }

func (idle) Toxics() []faults.Toxic { return nil }

func TestRefusedPlans(t *testing.T) {
	fault := func(a faults.Action) faults.Plan {
		return faults.Plan{Connections: []faults.ConnectionPlan{{Fault: faults.Fault{At: faults.Connect, Action: a}}}}
	}
	anyDoor := onConnections(t, "accept-and-close").Connections[0].Fault.Action
	for _, row := range []struct {
		name string
		plan faults.Plan
		want string
	}{
		{"two windows", onConnections(t, "refuse 1s", "blackhole 2s"),
			"connections: refuse 1s connect and blackhole 2s connect: both begin with the play, so only one of them can hold"},
		{"a door before toxics", onConnections(t, "3: accept-and-close", "latency 1s"),
			"connections: accept-and-close connect and latency 1s connect on one connection: the door comes before all else, so the other could never strike"},
		{"two doors", onConnections(t, "accept-and-close", "2: accept-and-reset"),
			"connections: accept-and-close connect and accept-and-reset connect on one connection: the door comes before all else, so the other could never strike"},
		{"two limits of one stream", onConnections(t, "limit 5", "limit 3 stream=upstream", "2: limit 3"),
			"connections: limit 3 connect: a second limit downstream on one connection: only the smaller could ever strike"},
		{"refused by the plan itself", onConnections(t, "2: refuse"),
			"connections: entry 1: refuse of connection 2: a refused connection is never seen, so it cannot be counted: use number 0 and say for how long"},
		{"an unknown door", fault(odd{anyDoor, faults.Treatment(99)}),
			"connections: accept-and-close connect: no connection can be treated that way"},
		{"no toxics", fault(idle{anyDoor}),
			"connections: accept-and-close connect: gives no toxics, so it would do nothing"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := Listen(NewMemory(), "127.0.0.1:0", Options{Plan: row.plan})
			if err == nil || err.Error() != row.want {
				t.Errorf("got  %v\nwant %s", err, row.want)
			}
		})
	}
}

// Two faults for different connections do not meet.
func TestPlansThatFit(t *testing.T) {
	for _, row := range []struct {
		name string
		plan faults.Plan
	}{
		{"doors of different connections", onConnections(t, "1: accept-and-close", "2: accept-and-reset")},
		{"a window and a door", onConnections(t, "refuse 1s", "1: accept-and-reset")},
		{"toxics together", onConnections(t, "latency 1s", "2: bandwidth 1", "2: limit 5", "2: limit 5 stream=upstream")},
	} {
		t.Run(row.name, func(t *testing.T) {
			l, err := Listen(NewMemory(), "127.0.0.1:0", Options{Plan: row.plan})
			if err != nil {
				t.Fatal(err)
			}
			mustClose(t, l)
		})
	}
}
