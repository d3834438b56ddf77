package wire

import (
	"errors"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/faults"
	"github.com/brownout-dev/brownout/faults/clock"
)

// witness writes down what a listener says of its faults.
type witness struct {
	mu   sync.Mutex
	said []struct {
		Connection int
		Fault      string
	}
}

func (w *witness) struck(connection int, f faults.Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, struct {
		Connection int
		Fault      string
	}{connection, f.String()})
}

func TestConnectionDoors(t *testing.T) {
	for _, row := range []struct {
		fault string
		want  string
		reset bool
	}{
		{"accept-and-close", "|FIN", false},
		{"accept-and-reset", "|RST", true},
	} {
		t.Run(row.fault, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				var w witness
				l, err := Listen(n, "127.0.0.1:0", Options{
					Clock: clock.Start(), Plan: onConnections(t, "1: "+row.fault), Struck: w.struck,
				})
				if err != nil {
					t.Fatal(err)
				}
				defer mustClose(t, l)
				first := dial(t, n, l.Addr())
				second, server := connect(t, n, l)
				if got := arrival(first); got != row.want {
					t.Errorf("the first got %q, want %q", got, row.want)
				}
				if server.Number() != 2 {
					t.Errorf("the one served is number %d, want 2", server.Number())
				}
				server.Shut()
				if got, want := arrival(second), "|FIN"; got != want {
					t.Errorf("the second got %q, want %q", got, want)
				}
				want := row.fault + " connect"
				if len(w.said) != 1 || w.said[0].Connection != 1 || w.said[0].Fault != want {
					t.Errorf("struck %v, want 1 %s", w.said, want)
				}
				got := l.Connections()[0]
				if got.ClosedBy != Fake || got.Reset != row.reset || !reflect.DeepEqual(got.Faults, []string{want}) {
					t.Errorf("recorded %+v", got)
				}
			})
		})
	}
}

// Toxics strike as a connection is accepted, but for a limit: it has struck only if it cuts.
func TestToxicsStrike(t *testing.T) {
	for _, row := range []struct {
		name string
		plan []string
		want []string
	}{
		{"latency", []string{"latency 1s"}, []string{"latency 1s connect"}},
		{"a limit that is not reached", []string{"limit 6"}, nil},
		{"a limit that is reached", []string{"limit 4"}, []string{"limit 4 connect"}},
		{"a limit that the reply just fits in", []string{"limit 5"}, []string{"limit 5 connect"}},
		{"a limit the other way", []string{"limit 4 stream=upstream"}, nil},
		{"several", []string{"limit 4", "latency 1s"}, []string{"latency 1s connect", "limit 4 connect"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, n Network) {
				var w witness
				l, err := Listen(n, "127.0.0.1:0", Options{Clock: clock.Start(), Plan: onConnections(t, row.plan...), Struck: w.struck})
				if err != nil {
					t.Fatal(err)
				}
				defer mustClose(t, l)
				client, server := connect(t, n, l)
				io.WriteString(server, "reply")
				server.Shut()
				arrival(client)
				got := l.Connections()[0].Faults
				if !slices.Equal(got, row.want) || len(w.said) != len(row.want) {
					t.Errorf("recorded %q, struck %v, want %q", got, w.said, row.want)
				}
			})
		})
	}
}

// The client of a stalled connection gets nothing, and is seen to go.
func TestAcceptAndStall(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		l := listenFor(t, n, onConnections(t, "1: accept-and-stall"))
		stalled := dial(t, n, l.Addr())
		_, server := connect(t, n, l)
		io.WriteString(stalled, "GET / HTTP/1.1\r\n\r\n")
		stalled.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if _, err := stalled.Read(make([]byte, 1)); !isTimeout(err) {
			t.Errorf("got %v, want silence", err)
		}
		stalled.Close()
		server.Shut()
		for unfinished(l) > 0 { // bounded by the test's own time: a socket that nobody needs is not kept for the whole play
			pause(time.Millisecond)
		}
		if got := l.Connections()[0]; got.ClosedBy != Client {
			t.Errorf("recorded %+v, want closed by client", got)
		}
	})
}

// unfinished counts connections whose socket is still there.
func unfinished(l *Listener) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lines)
}

func isTimeout(err error) bool {
	var failed net.Error
	return errors.As(err, &failed) && failed.Timeout()
}

// A client that sends a lot to a stalled connection has to wait for ever, as with a process that hangs.
func TestStalledConnectionStopsReading(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		l := listenFor(t, n, onConnections(t, "1: accept-and-stall"))
		stalled := dial(t, n, l.Addr())
		go l.Accept()
		stalled.SetWriteDeadline(time.Now().Add(time.Hour))
		sent, err := stalled.Write(make([]byte, 1<<20))
		if want := StallRead + MemoryBuffer; sent != want || !isTimeout(err) {
			t.Errorf("sent %d, %v; want %d and a timeout", sent, err, want)
		}
	})
}

// In virtual time the window is exact; a blackholed dial is asked again after 1, 3, 7 s.
func TestWindow(t *testing.T) {
	for _, row := range []struct {
		fault  string
		during string // what a dial meets that waits one second
		opens  time.Duration
	}{
		{"refuse 2s", "refused", 2 * time.Second},
		{"blackhole 2s", "unanswered", 2 * time.Second},
	} {
		t.Run(row.fault, func(t *testing.T) {
			inMemory(t, func(t *testing.T, n Network) {
				var w witness
				l, err := Listen(n, "127.0.0.1:0", Options{
					Clock: clock.Start(), Plan: onConnections(t, row.fault), Struck: w.struck,
				})
				if err != nil {
					t.Fatal(err)
				}
				defer mustClose(t, l)
				start := time.Now()
				if got := meets(n, l.Addr(), time.Second); got != row.during {
					t.Errorf("during the window got %s, want %s", got, row.during)
				}
				pause(row.opens - time.Since(start) - 1)
				if got := meets(n, l.Addr(), 1); got != row.during {
					t.Errorf("at the end of the window got %s, want %s", got, row.during)
				}
				pause(1)
				synctest.Wait()
				if got, want := meets(n, l.Addr(), time.Second), "connected"; got != want {
					t.Errorf("after the window got %s, want %s", got, want)
				}
				if len(w.said) != 1 || w.said[0].Connection != 0 || w.said[0].Fault != row.fault+" connect" {
					t.Errorf("struck %v, want the whole listener, once", w.said)
				}
			})
		})
	}
}

// On the real network a window ends as well, and not before its time.
func TestWindowOnBoth(t *testing.T) {
	for _, fault := range []string{"refuse 200ms", "blackhole 200ms"} {
		t.Run(fault, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				start := time.Now()
				l := listenFor(t, n, onConnections(t, fault))
				var c transport
				for c == nil { // bounded by the test's own time
					c, _ = tryDial(n, l.Addr(), patience)
					pause(time.Millisecond)
				}
				defer c.Close()
				if took := time.Since(start); took < 200*time.Millisecond {
					t.Errorf("connected after %v, within the window", took)
				}
				server, err := l.Accept()
				if err != nil {
					t.Fatal(err)
				}
				if got, want := server.RemoteAddr().String(), c.LocalAddr().String(); got != want || server.(*Conn).Number() != 1 {
					t.Errorf("accepted %s as number %d, want %s as the first", got, server.(*Conn).Number(), want)
				}
			})
		})
	}
}

func TestWindowForEver(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		l := listenFor(t, n, onConnections(t, "refuse"))
		if got, want := meets(n, l.Addr(), patience), "refused"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// stuck is a network whose ports cannot be opened again.
type stuck struct{ Network }

type stuckPort struct{ Port }

var errStuck = errors.New("the hinge is rusty")

func (stuckPort) Open() error { return errStuck }

func (s stuck) Open(addr string) (Port, error) {
	p, err := s.Network.Open(addr)
	return stuckPort{p}, err
}

// A window that cannot be ended must not look like a service that is down.
func TestWindowThatCannotEnd(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		l, err := Listen(stuck{n}, "127.0.0.1:0", Options{Clock: clock.Start(), Plan: onConnections(t, "refuse 1s")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Accept(); !errors.Is(err, errStuck) {
			t.Errorf("accept says %v, want %v", err, errStuck)
		}
		if err := l.Close(); !errors.Is(err, errStuck) {
			t.Errorf("close says %v, want %v", err, errStuck)
		}
	})
}

// Also a port that has refused from the start is taken.
func TestBusyPort(t *testing.T) {
	for _, plan := range [][]string{nil, {"refuse"}, {"blackhole"}} {
		onBoth(t, func(t *testing.T, n Network) {
			l := listenFor(t, n, onConnections(t, plan...))
			_, err := Listen(n, l.Addr().String(), Options{})
			if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), l.Addr().String()) {
				t.Errorf("%v: got %v, want \"address already in use\" and the address", plan, err)
			}
		})
	}
}
