package wire

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/faults"
)

// arrivals reads until the end and says what came when, from the start: "0s 5, 1s 5, 1s FIN".
func arrivals(r io.Reader, start time.Time) string {
	var list []string
	p := make([]byte, 1<<20)
	for {
		n, err := r.Read(p)
		at := time.Since(start)
		if n > 0 {
			list = append(list, fmt.Sprintf("%v %d", at, n))
		}
		if err != nil {
			list = append(list, fmt.Sprintf("%v %s", at, howEnded(err)[1:]))
			return strings.Join(list, ", ")
		}
	}
}

// pause waits in virtual time.
func pause(d time.Duration) { <-time.After(d) }

func TestToxicsDownstream(t *testing.T) {
	for _, row := range []struct {
		name, reason string
		plan         []string
		serve        func(*Conn)
		want         string
	}{
		{
			"nothing", "the measure of the others", nil,
			func(c *Conn) { io.WriteString(c, "12345"); pause(time.Second); io.WriteString(c, "678"); c.Shut() },
			"0s 5, 1s 3, 1s FIN",
		},
		{
			"latency", "each write that much later, and the bytes under way before the FIN",
			[]string{"latency 100ms"},
			func(c *Conn) { io.WriteString(c, "12345"); pause(time.Second); io.WriteString(c, "678"); c.Shut() },
			"100ms 5, 1.1s 3, 1.1s FIN",
		},
		{
			"latency upstream only", "replies are not its business",
			[]string{"latency 100ms stream=upstream"},
			func(c *Conn) { io.WriteString(c, "12345"); c.Shut() },
			"0s 5, 0s FIN",
		},
		{
			"bandwidth", "3,000 bytes at 10,000 a second take 0.3 s, in portions of 0.1 s",
			[]string{"bandwidth 10"},
			func(c *Conn) { c.Write(make([]byte, 3000)); c.Shut() },
			"100ms 1000, 200ms 1000, 300ms 1000, 300ms FIN",
		},
		{
			"slice", "halves until no piece is longer than 3",
			[]string{"slice 3 delay=1ms"},
			func(c *Conn) { io.WriteString(c, "1234567890"); c.Shut() },
			"0s 2, 1ms 3, 2ms 2, 3ms 3, 4ms FIN",
		},
		{
			"limit", "the connection ends with the last byte let through",
			[]string{"limit 7"},
			func(c *Conn) { io.WriteString(c, "12345"); pause(time.Second); io.WriteString(c, "678") },
			"0s 5, 1s 2, 1s FIN",
		},
		{
			"two in a row", "latency first, then the rate",
			[]string{"latency 1s", "bandwidth 1"},
			func(c *Conn) { c.Write(make([]byte, 200)); c.Shut() },
			"1.1s 100, 1.2s 100, 1.2s FIN",
		},
		{
			"the same twice", "both act",
			[]string{"latency 1s", "latency 200ms"},
			func(c *Conn) { io.WriteString(c, "12345"); c.Shut() },
			"1.2s 5, 1.2s FIN",
		},
		{
			"another connection's", "the plan names the second one",
			[]string{"2: latency 1s"},
			func(c *Conn) { io.WriteString(c, "12345"); c.Shut() },
			"0s 5, 0s FIN",
		},
		{
			"reset", "at once: bytes under way are dropped",
			[]string{"latency 1s"},
			func(c *Conn) { io.WriteString(c, "12345"); pause(time.Millisecond); c.Reset() },
			"1ms RST",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, n Network) {
				l := listenFor(t, n, onConnections(t, row.plan...))
				client, server := connect(t, n, l)
				start := time.Now()
				go row.serve(server)
				if got := arrivals(client, start); got != row.want {
					t.Errorf("%s:\n got  %s\n want %s", row.reason, got, row.want)
				}
			})
		})
	}
}

func TestToxicsUpstream(t *testing.T) {
	for _, row := range []struct {
		name, reason string
		plan         []string
		send         func(transport)
		want         string
	}{
		{
			"latency", "the request comes later, and then the end",
			[]string{"latency 100ms stream=upstream"},
			func(c transport) { io.WriteString(c, "request"); c.Close() },
			"100ms 7, 100ms FIN",
		},
		{
			"limit", "the server sees the request break off",
			[]string{"limit 3 stream=upstream"},
			func(c transport) { io.WriteString(c, "request") },
			"0s 3, 0s FIN",
		},
		{
			"reset", "what the client has given up does not arrive any more",
			[]string{"latency 1h stream=upstream"},
			func(c transport) { io.WriteString(c, "request"); pause(time.Second); c.Reset() },
			"1s RST",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, n Network) {
				l := listenFor(t, n, onConnections(t, row.plan...))
				client, server := connect(t, n, l)
				start := time.Now()
				go row.send(client)
				if got := arrivals(server, start); got != row.want {
					t.Errorf("%s:\n got  %s\n want %s", row.reason, got, row.want)
				}
			})
		})
	}
}

// A request that is cut short ends the connection for the client too, after what the server had already written.
func TestLimitUpstreamEndsBothWays(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		l := listenFor(t, n, onConnections(t, "limit 5 stream=upstream", "latency 1s"))
		client, server := connect(t, n, l)
		start := time.Now()
		io.WriteString(server, "early")
		io.WriteString(client, "a request")
		if got, want := arrivals(client, start), "1s 5, 1s FIN"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// A body that the server wants no more of is not held up by a slow way, also while the reply is still under way: the client would otherwise
// wait, or meet RST.
func TestShutDrainsASlowWay(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		l := listenFor(t, n, onConnections(t, "bandwidth 1 stream=upstream", "latency 1m"))
		client, server := connect(t, n, l)
		client.SetDeadline(time.Time{})
		start, sent := time.Now(), make(chan time.Duration, 1)
		go func() {
			client.Write(make([]byte, 1<<20))
			sent <- time.Since(start)
		}()
		io.WriteString(server, "HTTP/1.1 503")
		server.Shut()
		if got, want := arrival(client), "HTTP/1.1 503|FIN"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if took := <-sent; took > time.Second {
			t.Errorf("the body took %v, though nobody waits for it", took)
		}
	})
}

// Nothing is lost or changed by toxics that only delay or cut, however they are combined.
func TestToxicsKeepBytes(t *testing.T) {
	for _, row := range []struct {
		name string
		plan []string
	}{
		{"latency", []string{"latency 1ms"}},
		{"jitter", []string{"latency 2ms jitter=2ms"}},
		{"bandwidth", []string{"bandwidth 1000000"}},
		{"slice", []string{"slice 5000 variation=3000"}},
		{"all, both ways", []string{
			"latency 1ms", "bandwidth 1000000", "slice 5000 variation=4999",
			"slice 7000 variation=10 stream=upstream", "bandwidth 1000000 stream=upstream", "latency 1ms stream=upstream",
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				l := listenFor(t, n, onConnections(t, row.plan...))
				client, server := connect(t, n, l)
				up, down := strings.Repeat("up and ", 50_000), strings.Repeat("down and ", 50_000)
				go func() { io.WriteString(client, up); client.CloseWrite() }()
				served := make(chan string, 1)
				go func() {
					served <- arrival(server)
					io.WriteString(server, down)
					server.Shut()
				}()
				if got := arrival(client); got != down+"|FIN" {
					t.Errorf("%d bytes came down, want %d and a FIN", len(got), len(down))
				}
				if got := <-served; got != up+"|FIN" {
					t.Errorf("%d bytes came up, want %d and a FIN", len(got), len(up))
				}
			})
		})
	}
}

func TestRefusedToxics(t *testing.T) {
	for _, row := range []struct {
		name  string
		toxic faults.Toxic
		want  string
	}{
		{"unknown", faults.Toxic{Type: "gremlin", Stream: "upstream"},
			`unknown toxic "gremlin": want latency, bandwidth, slicer, limit_data or slow_close`},
		{"no stream", faults.Toxic{Type: "latency"},
			`toxic latency: stream "": want upstream or downstream`},
		{"reset_peer", faults.Toxic{Type: "reset_peer", Stream: "downstream"},
			`toxic reset_peer: closes with FIN unless TCP is on both its sides: want the fault "reset" or "accept-and-reset"`},
		{"timeout", faults.Toxic{Type: "timeout", Stream: "downstream"},
			`toxic timeout: cannot be told to end with its connection: want latency, bandwidth, slicer, limit_data or slow_close`},
		{"unknown attribute", faults.Toxic{Type: "latency", Stream: "upstream", Attributes: map[string]any{"delay": 5}},
			`toxic latency: attributes {"delay":5}: json: unknown field "delay"`},
		{"wrong type", faults.Toxic{Type: "bandwidth", Stream: "upstream", Attributes: map[string]any{"rate": "fast"}},
			`toxic bandwidth: attributes {"rate":"fast"}: json: cannot unmarshal string into Go struct field BandwidthToxic.rate of type int64`},
		{"negative latency", faults.Toxic{Type: "latency", Stream: "upstream", Attributes: map[string]any{"latency": -5}},
			`toxic latency: latency -5 ms, jitter 0 ms: want 0 to 24h0m0s each`},
		{"no rate: Toxiproxy would never send", faults.Toxic{Type: "bandwidth", Stream: "upstream"},
			`toxic bandwidth: rate 0 KB/s: want 1 or more`},
		{"no size: Toxiproxy would recurse for ever", faults.Toxic{Type: "slicer", Stream: "upstream"},
			`toxic slicer: average_size 0, size_variation 0: want a size above zero and a smaller variation`},
		{"variation as large as the size", faults.Toxic{Type: "slicer", Stream: "upstream", Attributes: map[string]any{"average_size": 5, "size_variation": 5}},
			`toxic slicer: average_size 5, size_variation 5: want a size above zero and a smaller variation`},
		{"slicer's delay", faults.Toxic{Type: "slicer", Stream: "upstream", Attributes: map[string]any{"average_size": 5, "delay": -1}},
			`toxic slicer: delay -1 us: want 0 to 24h0m0s`},
		{"negative limit", faults.Toxic{Type: "limit_data", Stream: "upstream", Attributes: map[string]any{"bytes": -1}},
			`toxic limit_data: bytes -1: want 1 or more`},
		{"slow close beyond a day", faults.Toxic{Type: "slow_close", Stream: "upstream", Attributes: map[string]any{"delay": 86400001}},
			`toxic slow_close: delay 86400001 ms: want 0 to 24h0m0s`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, _, err := brew(row.toxic); err == nil || err.Error() != row.want {
				t.Errorf("got  %v\nwant %s", err, row.want)
			}
		})
	}
}
