package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// connectRaw gives both ends of a connection below any listener.
func connectRaw(t *testing.T, n Network) (client, server transport) {
	t.Helper()
	p := openPort(t, n)
	client = dial(t, n, p.Addr())
	accepted, err := p.Accept()
	if err != nil {
		t.Fatal(err)
	}
	server = accepted.(transport)
	t.Cleanup(func() { server.Close() })
	server.SetDeadline(time.Now().Add(patience))
	return client, server
}

// writeUntilError writes single bytes until one fails: what the peer answers meets a later write.
func writeUntilError(c net.Conn) string {
	for {
		if _, err := c.Write([]byte("x")); err != nil {
			return howEnded(err)
		}
	}
}

// What TCP does on Linux, and memory has to do as well.
func TestTransport(t *testing.T) {
	for _, row := range []struct {
		name, reason string
		play         func(client, server transport) string
		want         string
	}{
		{"close", "FIN after the bytes", func(c, s transport) string {
			io.WriteString(s, "bytes")
			s.Close()
			return arrival(c)
		}, "bytes|FIN"},
		{"reset", "RST after the bytes that have come", func(c, s transport) string {
			io.WriteString(s, "bytes")
			s.Reset()
			return arrival(c)
		}, "bytes|RST"},
		{"close with unread bytes", "RST (RFC 1122, 4.2.2.13)", func(c, s transport) string {
			io.WriteString(c, "request")
			io.ReadFull(s, make([]byte, 1))
			io.WriteString(s, "reply")
			s.Close()
			return arrival(c)
		}, "reply|RST"},
		{"half close", "the other half goes on", func(c, s transport) string {
			io.WriteString(c, "request")
			c.CloseWrite()
			got := arrival(s)
			io.WriteString(s, "reply")
			s.Close()
			return got + " " + arrival(c)
		}, "request|FIN reply|FIN"},
		{"write after half close", "our half is over", func(c, s transport) string {
			c.CloseWrite()
			return writeUntilError(c)
		}, "|EPIPE"},
		{"write to a closed peer", "its RST meets a later write; the FIN came first, so reads still say EOF", func(c, s transport) string {
			s.Close()
			got := arrival(c)
			return got + " " + writeUntilError(c) + " " + arrival(c)
		}, "|FIN |EPIPE |FIN"},
		{"write after reset", "the first to meet it is told of the reset, later writes of the broken pipe", func(c, s transport) string {
			s.Reset()
			return writeUntilError(c) + " " + writeUntilError(c)
		}, "|RST |EPIPE"},
		{"write after a reset that was read", "it has been told", func(c, s transport) string {
			s.Reset()
			return arrival(c) + " " + writeUntilError(c)
		}, "|RST |EPIPE"},
		{"reset after half close", "the FIN came first: reads say EOF", func(c, s transport) string {
			s.CloseWrite()
			got := arrival(c)
			s.Reset()
			return got + " " + writeUntilError(c) + " " + arrival(c)
		}, "|FIN |EPIPE |FIN"},
		{"own end closed", "nothing more of it", func(c, s transport) string {
			c.Close()
			return arrival(c) + " " + writeUntilError(c) + " " + howEnded(c.Close()) + " " + howEnded(c.SetDeadline(time.Time{}))
		}, "|closed |closed |closed |closed"},
		{"reader is waiting", "a close of its own end wakes it", func(c, s transport) string {
			got := make(chan string)
			go func() { got <- arrival(c) }()
			c.Close()
			return <-got
		}, "|closed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				client, server := connectRaw(t, n)
				if got := row.play(client, server); got != row.want {
					t.Errorf("%s: got %q, want %q", row.reason, got, row.want)
				}
			})
		})
	}
}

// A writer waits when the buffers are full, and a peer that closes with all that unread resets it.
func TestBlockedWriter(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		client, server := connectRaw(t, n)
		wrote := make(chan error, 1)
		go func() {
			_, err := client.Write(make([]byte, 64<<20))
			wrote <- err
		}()
		io.ReadFull(server, make([]byte, 1))
		server.Close()
		if got, want := howEnded(<-wrote), "|RST"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestDeadlinesOfATransport(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		client, server := connectRaw(t, n)
		start := time.Now()
		client.SetReadDeadline(start.Add(20 * time.Millisecond))
		_, err := client.Read(make([]byte, 1))
		var op *net.OpError
		if !errors.As(err, &op) || op.Op != "read" || !op.Timeout() || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v, want a read's timeout", err)
		}
		if took := time.Since(start); took < 20*time.Millisecond {
			t.Errorf("timed out after %v, want 20ms", took)
		}
		client.SetWriteDeadline(past())
		if _, err := client.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("got %v, want a write's timeout", err)
		}
		client.SetDeadline(time.Time{})
		go io.WriteString(server, "x")
		if _, err := client.Read(make([]byte, 1)); err != nil {
			t.Errorf("a deadline that was lifted gives %v", err)
		}
	})
}

// A deadline that is moved while someone waits for it counts as moved.
func TestDeadlineMoved(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		client, _ := connectRaw(t, n)
		start := time.Now()
		client.SetReadDeadline(start.Add(time.Second))
		time.AfterFunc(500*time.Millisecond, func() { client.SetReadDeadline(start.Add(3 * time.Second)) })
		client.Read(make([]byte, 1))
		if got, want := time.Since(start), 3*time.Second; got != want {
			t.Errorf("after %v, want %v", got, want)
		}
	})
}

// Both ways at once, more than the buffers hold, in pieces of any size.
func TestBytesArriveWhole(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		client, server := connectRaw(t, n)
		up, down := strings.Repeat("up and ", 100_000), strings.Repeat("down and ", 100_000)
		send := func(c transport, text string) {
			io.Copy(struct{ io.Writer }{c}, strings.NewReader(text))
			c.CloseWrite()
		}
		go send(client, up)
		go send(server, down)
		got := make(chan string, 1)
		go func() { got <- arrival(server) }()
		var b bytes.Buffer
		io.CopyBuffer(struct{ io.Writer }{&b}, struct{ io.Reader }{client}, make([]byte, 777))
		if b.String() != down {
			t.Error("what came down is not what was sent")
		}
		if <-got != up+"|FIN" {
			t.Error("what came up is not what was sent")
		}
	})
}

func TestTransportAddresses(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		client, server := connectRaw(t, n)
		for _, pair := range [][2]net.Addr{{client.LocalAddr(), server.RemoteAddr()}, {client.RemoteAddr(), server.LocalAddr()}} {
			if got, want := pair[0].String(), pair[1].String(); got != want || !strings.HasPrefix(got, "127.0.0.1:") {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	})
}

func TestMemoryBufferIsBounded(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		client, _ := connectRaw(t, n)
		client.SetWriteDeadline(time.Now().Add(time.Second))
		wrote, err := client.Write(make([]byte, 2*MemoryBuffer))
		if wrote != MemoryBuffer || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("wrote %d bytes, %v; want %d and a timeout", wrote, err, MemoryBuffer)
		}
	})
}
