package wire

import (
	"io"
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"
)

// chain lies between a client's connection and the server, with one road each way:
//
//	client ── line ══ up ══▶ far ── near ── http.Server
//	               ◀═ down ══
//
// The server ends its side by [chain.shut]: bytes on the way down still arrive, then comes the FIN. What ends the line ends the chain.
type chain struct {
	line      *line
	near, far *memoryConn
	up, down  *road
	cutting   func(stream.Direction) // called before a limit cuts
}

func newChain(l *line, through [stream.NumDirections]toxicList, cutting func(stream.Direction)) *chain {
	far, near := newMemoryPair(l.raw.RemoteAddr(), l.raw.LocalAddr())
	return &chain{
		line: l, near: near, far: far, cutting: cutting,
		up:   newRoad(through[stream.Upstream]),
		down: newRoad(through[stream.Downstream]),
	}
}

// goroutines are what has to run for the chain to work. All end when the line is dead.
func (c *chain) goroutines() []func() {
	list := []func(){c.feedUp, c.emitUp, c.feedDown, c.emitDown, c.bury}
	list = append(list, c.up.goroutines()...)
	return append(list, c.down.goroutines()...)
}

func (c *chain) feedUp() {
	if c.up.feed(c.line) != io.EOF {
		c.up.drop()
	}
}

func (c *chain) emitUp() {
	cut := c.up.emit(c.far)
	switch {
	case cut:
		c.cutting(stream.Upstream)
		c.far.finish() // over in both directions, as with Toxiproxy; what the server has written still goes down
	case !c.up.isDropped() && !c.line.hasDied(): // else bury has the last word
		c.far.CloseWrite() // the client has closed, or at least its half
	}
}

func (c *chain) feedDown() { c.down.feed(c.far) }

func (c *chain) emitDown() {
	if c.down.emit(c.line) {
		c.cutting(stream.Downstream)
	}
	if c.down.isDropped() {
		return
	}
	c.line.shut()
	c.up.drop()
	c.far.Close()
}

// bury drops everything once no byte can reach the client or come from it; the server then meets RST, whoever ended the line.
func (c *chain) bury() {
	<-c.line.dead
	c.up.drop()
	c.down.drop()
	c.far.Reset()
}

// shut ends the server's side with FIN. What the client still sends is read and dropped, as by [line.shut].
func (c *chain) shut() {
	c.near.Close()
	c.up.drop()
}

func (c *chain) reset() {
	c.line.reset()
	c.near.Close()
}

func (c *chain) Read(p []byte) (int, error)         { return c.near.Read(p) }
func (c *chain) Write(p []byte) (int, error)        { return c.near.Write(p) }
func (c *chain) SetDeadline(t time.Time) error      { return c.near.SetDeadline(t) }
func (c *chain) SetReadDeadline(t time.Time) error  { return c.near.SetReadDeadline(t) }
func (c *chain) SetWriteDeadline(t time.Time) error { return c.near.SetWriteDeadline(t) }
