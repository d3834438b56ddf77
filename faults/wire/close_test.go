package wire

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/faults"
)

// slowClose is a toxic no fault of ours uses, which waits at its end.
type slowClose struct{ faults.Action }

func (slowClose) Toxics() []faults.Toxic {
	return []faults.Toxic{{Type: "slow_close", Stream: "downstream", Attributes: map[string]any{"delay": 3_600_000}}}
}

// Whatever many connections are at, Close ends them, and no goroutine of ours or of Toxiproxy is left.
func TestCloseEndsEverything(t *testing.T) {
	latency := onConnections(t, "latency 1h").Connections[0].Fault.Action
	for _, row := range []struct {
		name   string
		count  int
		plan   faults.Plan
		client func(io.Writer)
		server func(*Conn)
	}{
		{"nothing happens", 200, onConnections(t), func(io.Writer) {}, func(*Conn) {}},
		{"reading, writing", 200, onConnections(t), spill, func(c *Conn) { io.Copy(c, c) }},
		{"nobody reads", 40, onConnections(t), flood, func(c *Conn) { flood(c) }},
		{"watched", 40, onConnections(t), func(io.Writer) {}, func(c *Conn) { c.Watch(); <-c.Gone() }},
		{"shut, and the client stays", 40, onConnections(t), func(io.Writer) {}, (*Conn).Shut},
		{"stalled", 40, onConnections(t, "accept-and-stall"), flood, nil},
		{"an hour of latency", 40, onConnections(t, "latency 1h", "latency 1h stream=upstream"), spill, func(c *Conn) { spill(c) }},
		{"an hour of latency, shut", 40, onConnections(t, "latency 1h"), spill, func(c *Conn) { io.WriteString(c, "reply"); c.Shut() }},
		{"a slow rate", 40, onConnections(t, "bandwidth 1", "bandwidth 1 stream=upstream"), spill, func(c *Conn) { spill(c) }},
		{"slow slices", 40, onConnections(t, "slice 1000 delay=1h", "slice 1000 delay=1h stream=upstream"), spill, func(c *Conn) { spill(c) }},
		{"limits that are spent", 40, onConnections(t, "limit 1", "limit 1 stream=upstream"), spill, func(c *Conn) { spill(c) }},
		{"a spent limit behind latency", 40, onConnections(t, "latency 1h", "limit 1", "bandwidth 1"), spill, func(c *Conn) { spill(c) }},
		{"all in a row", 200, onConnections(t, "bandwidth 1", "latency 1h", "slice 1000 delay=1h", "bandwidth 2", "limit 1000", "latency 1ms"), spill, func(c *Conn) { spill(c) }},
		{"slow close", 40, faults.Plan{Connections: []faults.ConnectionPlan{{Fault: faults.Fault{At: faults.Connect, Action: slowClose{latency}}}}}, spill, (*Conn).Shut},
	} {
		t.Run(row.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				l := listenFor(t, n, row.plan)
				accepting := make(chan struct{})
				go func() {
					defer close(accepting)
					for {
						c, err := l.Accept()
						if err != nil {
							return
						}
						go row.server(c.(*Conn))
					}
				}()
				for range row.count {
					c, err := tryDial(n, l.Addr(), patience)
					if err != nil {
						t.Fatal(err)
					}
					defer c.Close()
					go row.client(c)
				}
				for len(l.Connections()) < row.count { // bounded by the test's own time
					pause(time.Millisecond)
				}
				mustClose(t, l)
				<-accepting
				if left := working(); left != "" {
					t.Errorf("still working:\n%s", left)
				}
			})
		})
	}
}

// flood writes until it cannot.
func flood(w io.Writer) {
	for p := make([]byte, 64<<10); ; {
		if _, err := w.Write(p); err != nil {
			return
		}
	}
}

// spill writes a little more than fits between two ends: what an hour's latency holds up is kept in memory.
func spill(w io.Writer) {
	for range 3 {
		w.Write(make([]byte, MemoryBuffer))
	}
}

// working gives the stacks of goroutines that are inside the package or Toxiproxy, but for those of the tests.
func working() string {
	b := make([]byte, 64<<20)
	b = b[:runtime.Stack(b, true)]
	var left []string
	for _, stack := range strings.Split(string(b), "\n\n") {
		ours := strings.Contains(stack, "wire.(*road)") || strings.Contains(stack, "wire.(*stage)") || strings.Contains(stack, "wire.(*chain)") ||
			strings.Contains(stack, "wire.(*line).drain") || strings.Contains(stack, "wire.stall") || strings.Contains(stack, "wire.(*Conn).Watch") ||
			strings.Contains(stack, "Shopify/toxiproxy")
		if ours {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// The stacks that working looks for are those of a chain at work: were they named otherwise, it would see nothing.
func TestWorkingSeesAChain(t *testing.T) {
	l := listenFor(t, TCP{}, onConnections(t, "latency 1h", "bandwidth 1 stream=upstream"))
	connect(t, TCP{}, l)
	for deadline := time.Now().Add(patience); ; pause(time.Millisecond) {
		got := working()
		missing := ""
		for _, want := range []string{"(*road).feed", "(*road).emit", "(*stage).run", "(*chain).bury", "LatencyToxic", "BandwidthToxic"} {
			if !strings.Contains(got, want) {
				missing = want
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s in:\n%s", missing, got)
		}
	}
}
