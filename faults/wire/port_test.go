package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func openPort(t *testing.T, n Network) Port {
	t.Helper()
	p, err := n.Open("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// meets is what a dial met, for at most the given time.
func meets(n Network, a net.Addr, bound time.Duration) string {
	c, err := tryDial(n, a, bound)
	var failed net.Error
	switch {
	case err == nil:
		c.Close()
		return "connected"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.As(err, &failed) && failed.Timeout():
		return "unanswered"
	}
	return err.Error()
}

func TestDoor(t *testing.T) {
	const soon = 150 * time.Millisecond // for dials that go unanswered however long they wait
	for _, row := range []struct {
		name  string
		turns []func(Port) error
		bound time.Duration
		want  string
	}{
		{"new", nil, patience, "connected"},
		{"refusing", []func(Port) error{Port.Refuse}, patience, "refused"},
		{"refusing twice", []func(Port) error{Port.Refuse, Port.Refuse}, patience, "refused"},
		{"open again", []func(Port) error{Port.Refuse, Port.Open}, patience, "connected"},
		{"blackholed", []func(Port) error{Port.Blackhole}, soon, "unanswered"},
		{"blackholed after refusing", []func(Port) error{Port.Refuse, Port.Blackhole}, soon, "unanswered"},
		{"refusing after blackholed", []func(Port) error{Port.Blackhole, Port.Refuse}, patience, "refused"},
		{"open after blackholed", []func(Port) error{Port.Blackhole, Port.Open}, patience, "connected"},
		{"closed", []func(Port) error{func(p Port) error { return p.Close() }}, patience, "refused"},
	} {
		t.Run(row.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				p := openPort(t, n)
				for _, turn := range row.turns {
					if err := turn(p); err != nil {
						t.Fatal(err)
					}
				}
				if got := meets(n, p.Addr(), row.bound); got != row.want {
					t.Errorf("got %s, want %s", got, row.want)
				}
			})
		})
	}
}

// However often the door was turned, the connections that come through it are sound.
func TestConnectionsAfterTurns(t *testing.T) {
	for _, row := range []struct {
		name  string
		turns []func(Port) error
	}{
		{"refusing twice", []func(Port) error{Port.Refuse, Port.Refuse, Port.Open}},
		{"blackholed twice", []func(Port) error{Port.Blackhole, Port.Blackhole, Port.Open}},
		{"open twice", []func(Port) error{Port.Open, Port.Open}},
		{"all", []func(Port) error{Port.Blackhole, Port.Refuse, Port.Blackhole, Port.Open, Port.Refuse, Port.Open}},
	} {
		t.Run(row.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				p := openPort(t, n)
				for _, turn := range row.turns {
					if err := turn(p); err != nil {
						t.Fatal(err)
					}
				}
				client := dial(t, n, p.Addr())
				server, err := p.Accept()
				if err != nil {
					t.Fatal(err)
				}
				io.WriteString(client, "request")
				client.CloseWrite()
				got := arrival(server)
				io.WriteString(server, "reply")
				server.Close()
				if got, want := got+" "+arrival(client), "request|FIN reply|FIN"; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		})
	}
}

// A blackholed client goes on sending SYNs and is let in when the door opens; connections that filled the backlog are never seen.
func TestBlackholedClientGetsInLater(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		p := openPort(t, n)
		if err := p.Blackhole(); err != nil {
			t.Fatal(err)
		}
		start, dialed := time.Now(), make(chan transport, 1)
		go func() {
			c, err := tryDial(n, p.Addr(), patience)
			if err != nil {
				t.Error(err)
			}
			dialed <- c
		}()
		time.AfterFunc(100*time.Millisecond, func() {
			if err := p.Open(); err != nil {
				t.Error(err)
			}
		})
		accepted, err := p.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer accepted.Close()
		client := <-dialed
		defer client.Close()
		if got, want := accepted.RemoteAddr().String(), client.LocalAddr().String(); got != want {
			t.Errorf("accepted %s, want the client, %s", got, want)
		}
		if took := time.Since(start); took < 100*time.Millisecond {
			t.Errorf("connected after %v, while nobody was let in", took)
		}
	})
}

// Whoever has connected but was not accepted yet when the door shuts meets RST.
func TestRefuseResetsTheWaiting(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		p := openPort(t, n)
		client := dial(t, n, p.Addr())
		if err := p.Refuse(); err != nil {
			t.Fatal(err)
		}
		if got, want := arrival(client), "|RST"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// The address stays ours whatever the door does; a port that is taken is a clear error, also for a listener.
func TestAddressStaysOurs(t *testing.T) {
	for _, row := range []struct {
		name string
		turn func(Port) error
	}{
		{"open", Port.Open},
		{"refusing", Port.Refuse},
		{"blackholed", Port.Blackhole},
	} {
		t.Run(row.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				p := openPort(t, n)
				if err := row.turn(p); err != nil {
					t.Fatal(err)
				}
				_, err := Listen(n, p.Addr().String(), Options{})
				if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), p.Addr().String()) {
					t.Errorf("got %v, want \"address already in use\" and the address", err)
				}
			})
		})
	}
}

// An address with connections that wait for their time to run out can be taken again.
func TestAddressAfterUse(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		p := openPort(t, n)
		for range 2 {
			client := dial(t, n, p.Addr())
			server, err := p.Accept()
			if err != nil {
				t.Fatal(err)
			}
			server.Close() // first, so that the server's side is the one that waits
			arrival(client)
			client.Close()
			if err := errors.Join(p.Refuse(), p.Open()); err != nil {
				t.Fatalf("the same port: %v", err)
			}
		}
		mustClose(t, p)
		again, err := n.Open(p.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		mustClose(t, again)
	})
}

func TestAcceptEndsWithThePort(t *testing.T) {
	for _, row := range []struct {
		name string
		turn func(Port) error
	}{
		{"open", Port.Open},
		{"refusing", Port.Refuse},
		{"blackholed", Port.Blackhole},
	} {
		t.Run(row.name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, n Network) {
				p := openPort(t, n)
				if err := row.turn(p); err != nil {
					t.Fatal(err)
				}
				accepted := make(chan error, 1)
				go func() { _, err := p.Accept(); accepted <- err }()
				mustClose(t, p)
				if err := <-accepted; !errors.Is(err, net.ErrClosed) {
					t.Errorf("got %v, want that the port is closed", err)
				}
				if err := p.Open(); !errors.Is(err, net.ErrClosed) {
					t.Errorf("opening a closed port gives %v", err)
				}
			})
		})
	}
}

func TestCancelledDial(t *testing.T) {
	onBoth(t, func(t *testing.T, n Network) {
		p := openPort(t, n)
		if err := p.Blackhole(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Millisecond, cancel)
		_, err := n.DialContext(ctx, "tcp", p.Addr().String())
		var op *net.OpError
		if !errors.As(err, &op) || op.Op != "dial" || os.IsTimeout(err) {
			t.Errorf("got %v, want a cancelled dial", err)
		}
	})
}

// Linux gives up after seven SYNs: 1+2+4+8+16+32+64 s.
func TestUnansweredDialEnds(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		p := openPort(t, n)
		p.Blackhole()
		start := time.Now()
		_, err := n.DialContext(context.Background(), "tcp", p.Addr().String())
		if !errors.Is(err, syscall.ETIMEDOUT) {
			t.Errorf("got %v, want ETIMEDOUT", err)
		}
		if got, want := time.Since(start), 127*time.Second; got != want {
			t.Errorf("after %v, want %v", got, want)
		}
	})
}

func TestAddresses(t *testing.T) {
	for _, row := range []struct{ name, addr, want string }{
		{"a name is looked up nowhere", "example.org:80", "loopback"},
		{"not loopback", "192.0.2.1:80", "loopback"},
		{"no port", "127.0.0.1", "missing port"},
		{"a port's name", "127.0.0.1:http", "port number"},
		{"too large", "127.0.0.1:65536", "port number"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := NewMemory().Open(row.addr)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want it to say %q", err, row.want)
			}
		})
	}
}
