package wire

import (
	"bytes"
	"io"
	"testing"
	"time"
)

// The ways between client and server that every ending is tried on.
var ways = []struct{ name, fault string }{
	{"as it is", ""},
	{"through a chain that delays nothing", "slice 1000 stream=upstream"},
	{"through a chain that delays replies", "latency 20ms"},
	{"through a chain both ways", "bandwidth 10000000 stream=upstream"},
}

func onEveryWay(t *testing.T, test func(t *testing.T, n Network, l *Listener)) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				var texts []string
				if way.fault != "" {
					texts = []string{way.fault}
				}
				test(t, n, listenFor(t, n, onConnections(t, texts...)))
			})
		})
	}
}

func TestEndings(t *testing.T) {
	for _, row := range []struct {
		name, reason string
		end          func(*Conn)
		want         string
		by           Side
		reset        bool
	}{
		{"reset", "a lost reply", (*Conn).Reset, "|RST", Fake, true},
		{"shut", "a polite end", (*Conn).Shut, "|FIN", Fake, false},
		{"close", "how an http.Server ends", func(c *Conn) { c.Close() }, "|FIN", Fake, false},
		{"shut twice", "an http.Server closes again what a handler has ended", func(c *Conn) { c.Shut(); c.Close() }, "|FIN", Fake, false},
		{"reset, then close", "as above", func(c *Conn) { c.Reset(); c.Close() }, "|RST", Fake, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
				client, server := connect(t, n, l)
				row.end(server)
				if got := arrival(client); got != row.want {
					t.Errorf("%s: client got %q, want %q", row.reason, got, row.want)
				}
				client.Close()
				<-server.Gone()
				got := l.Connections()[0]
				if got.ClosedBy != row.by || got.Reset != row.reset || !got.Closed.Happened() {
					t.Errorf("recorded %+v, want closed by %s, reset %v", got, row.by, row.reset)
				}
				if _, err := server.Write([]byte("x")); err == nil {
					t.Error("a write after the end was taken")
				}
			})
		})
	}
}

func TestEndAfterPartOfAReply(t *testing.T) {
	for _, row := range []struct {
		name string
		end  func(*Conn)
		want string
	}{
		{"reset", (*Conn).Reset, "|RST"},
		{"shut", (*Conn).Shut, "|FIN"},
	} {
		t.Run(row.name, func(t *testing.T) {
			onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
				client, server := connect(t, n, l)
				server.Write([]byte("HTTP/1.1 200"))
				part := make([]byte, 12)
				if _, err := io.ReadFull(client, part); err != nil || string(part) != "HTTP/1.1 200" {
					t.Fatalf("got %q, %v", part, err)
				}
				row.end(server)
				if got := arrival(client); got != row.want {
					t.Errorf("got %q, want %q", got, row.want)
				}
			})
		})
	}
}

// The bytes of a reply are not lost by a FIN that follows at once.
func TestShutKeepsWhatWasWritten(t *testing.T) {
	onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
		client, server := connect(t, n, l)
		reply := bytes.Repeat([]byte("0123456789"), 100_000)
		go func() {
			server.Write(reply)
			server.Shut()
		}()
		if got, want := arrival(client), string(reply)+"|FIN"; got != want {
			t.Errorf("got %d bytes ending %.20q, want %d", len(got), got[max(0, len(got)-20):], len(want))
		}
	})
}

// A socket that is closed with unread bytes in it sends RST, and takes the reply with it: a client would see the wrong fault.
func TestShutWithUnreadBodyIsStillFIN(t *testing.T) {
	onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
		client, server := connect(t, n, l)
		sent := make(chan error, 1)
		go func() {
			_, err := client.Write(make([]byte, 1<<20))
			sent <- err
		}()
		io.ReadFull(server, make([]byte, 10))
		server.Write([]byte("HTTP/1.1 503"))
		server.Shut()
		if got, want := arrival(client), "HTTP/1.1 503|FIN"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if err := <-sent; err != nil {
			t.Errorf("the body's sender met %v, want it to be read to its end", err)
		}
	})
}

func TestClientEnds(t *testing.T) {
	for _, row := range []struct {
		name  string
		end   func(transport)
		want  string
		reset bool
	}{
		{"close", func(c transport) { c.Close() }, "last words|FIN", false},
		{"half close", func(c transport) { c.CloseWrite() }, "last words|FIN", false},
		{"reset", func(c transport) { c.Reset() }, "last words|RST", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
				client, server := connect(t, n, l)
				io.WriteString(client, "last words")
				got := make([]byte, 10)
				io.ReadFull(server, got)
				row.end(client)
				if got := string(got) + arrival(server); got != row.want {
					t.Errorf("server got %q, want %q", got, row.want)
				}
				<-server.Gone()
				if got := l.Connections()[0]; got.ClosedBy != Client || got.Reset != row.reset {
					t.Errorf("recorded %+v, want closed by client, reset %v", got, row.reset)
				}
			})
		})
	}
}

// A client that sends its request, then half-closes, is still owed its reply.
func TestHalfClosedClientGetsItsReply(t *testing.T) {
	onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
		client, server := connect(t, n, l)
		io.WriteString(client, "request")
		client.CloseWrite()
		if got, want := arrival(server), "request|FIN"; got != want {
			t.Errorf("server got %q, want %q", got, want)
		}
		io.WriteString(server, "reply")
		server.Shut()
		if got, want := arrival(client), "reply|FIN"; got != want {
			t.Errorf("client got %q, want %q", got, want)
		}
	})
}

func TestWatchNoticesTheClientGoing(t *testing.T) {
	onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
		client, server := connect(t, n, l)
		server.Watch()
		client.Write(make([]byte, 1<<20)) // more than any buffer on the way
		select {
		case <-server.Gone():
			t.Fatal("gone before it went")
		default:
		}
		client.Close()
		<-server.Gone()
	})
}

func TestDeadlines(t *testing.T) {
	onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
		client, server := connect(t, n, l)
		server.SetReadDeadline(time.Now().Add(time.Millisecond))
		if got, want := arrival(server), "|read"; got[:5] != want {
			t.Errorf("got %q, want a timeout", got)
		}
		select {
		case <-server.Gone():
			t.Error("a deadline of the server's own was taken for the client going")
		default:
		}
		server.SetReadDeadline(time.Time{})
		io.WriteString(client, "still here")
		client.CloseWrite()
		if got, want := arrival(server), "still here|FIN"; got != want {
			t.Errorf("after the deadline got %q, want %q", got, want)
		}
	})
}
