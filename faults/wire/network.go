// Package wire is the ground under HTTP: where the fake listens, and what each connection does below the request.
//
// A listener of ours accepts the client's connection and hands the http.Server a [Conn], which knows its number, its use count and
// its byte times, and can end by RST or by FIN whatever lies between. A connection that the plan gives byte-level faults runs through a fresh chain of
// Toxiproxy toxics that never changes after; any other is handed over as it is.
//
//	client ─▶ Listener ─┬──────────────────────▶ Conn ─▶ http.Server
//	                    └─▶ chain of toxics ─▶ Conn ─▶ http.Server
package wire

import (
	"context"
	"net"
)

// Network is where fakes listen and clients dial: loopback TCP, or memory.
type Network interface {
	// Open listens on addr ("127.0.0.1:0" takes any free port) and lets clients in. A port that is taken gives EADDRINUSE.
	Open(addr string) (Port, error)
	// DialContext is what a client's transport uses.
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
}

// Port is a listening address whose door can be opened, shut and walled up. Its connections must be [Resetter]s and have CloseWrite. Accept
// waits while the door is not open; Close ends it, and gives the address up.
type Port interface {
	net.Listener
	// Open lets clients in; a new port is open.
	Open() error
	// Refuse shuts the door: connecting clients get ECONNREFUSED, those not accepted yet get RST, and the address stays ours.
	Refuse() error
	// Blackhole leaves connecting clients without any answer; those that go on asking are let in when the door opens.
	Blackhole() error
}

// Resetter is a connection that can end with RST. *net.TCPConn is made one by SetLinger(0) and Close.
type Resetter interface{ Reset() error }

// doorState is how a port receives clients.
type doorState int

const (
	open doorState = iota
	refusing
	blackholed
	closed
)
