package fakes

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// line is a client that writes its own HTTP on one connection.
type line struct {
	*testing.T
	net.Conn
	in *bufio.Reader
}

func (p *play) dial() *line {
	p.Helper()
	c, err := p.network.DialContext(context.Background(), "tcp", strings.TrimPrefix(p.fake.URL(), "http://"))
	if err != nil {
		p.Fatal(err)
	}
	return &line{p.T, c, bufio.NewReader(c)}
}

// say writes text as it is.
func (l *line) say(text string) {
	l.Helper()
	if _, err := io.WriteString(l, text); err != nil {
		l.Fatal(err)
	}
}

// hear reads the next reply, interim ones too, and gives its status and body.
func (l *line) hear() (status int, body string) {
	l.Helper()
	reply, err := http.ReadResponse(l.in, nil)
	if err != nil {
		l.Fatal(err)
	}
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		l.Fatal(err)
	}
	return reply.StatusCode, string(text)
}

const second = "GET /v1/catalogue?op=op-00000002 HTTP/1.1\r\nHost: f\r\n\r\n"

// A connection that a fault spares carries the next request, which is answered as any other.
func TestSparedConnections(t *testing.T) {
	post := "POST /orders?op=op-00000001 HTTP/1.1\r\nHost: f\r\n"
	for _, row := range []struct {
		name, script string
		says         string
		hears        []int // before the second request
		body         string
	}{
		{name: "a last chunk in two segments", script: "[last-chunk 2 pause=1s]", says: post + "Content-Length: 0\r\n\r\n", hears: []int{201}},
		{name: "a surplus reply", script: "[surplus 202 reply-body]", says: post + "Content-Length: 0\r\n\r\n", hears: []int{201, 202}},
		{name: "a surplus reply on the idle connection", script: "[surplus 202]", says: post + "Content-Length: 0\r\n\r\n", hears: []int{201, 202}},
		{name: "a close that does not come", script: "[408 + unclosed]", says: post + "Content-Length: 0\r\n\r\n", hears: []int{408}},
		{name: "no 100", script: "[no-continue]", says: post + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\nbody", hears: []int{201}, body: "body"},
		{name: "no 100, chunks", script: "[no-continue]", says: post + "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nX: y\r\n\r\n", hears: []int{201}, body: "body"},
		{name: "refused before the body, which is sent all the same", script: "[no-continue + 413 head]", says: post + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\nbody", hears: []int{413}, body: "body"},
	} {
		t.Run(row.name, func(t *testing.T) {
			plan := always(t, row.script)
			plan.Routes[0].Route = "POST /*"
			inPlay(t, Config{Plan: plan}, func(p *play) {
				c := p.dial()
				c.say(row.says)
				for _, want := range row.hears {
					if got, _ := c.hear(); got != want {
						t.Errorf("got %d, want %d", got, want)
					}
				}
				synctest.Wait()
				c.say(second)
				if status, body := c.hear(); status != 200 || !strings.Contains(body, "op-00000002") {
					t.Errorf("got %d %s, want the second operation's reply", status, body)
				}
				c.Close()
				r := p.record()
				if len(r.Attempts) != 2 {
					t.Fatalf("got %d attempts, want 2", len(r.Attempts))
				}
				first, next := r.Attempts[0], r.Attempts[1]
				if next.Connection != first.Connection || next.Use != 2 {
					t.Errorf("got the second on connection %d as number %d, want connection %d, number 2", next.Connection, next.Use, first.Connection)
				}
				if !first.ReplyLast.Happened() || first.BodyBytes != int64(len(row.body)) {
					t.Errorf("got %+v, want a whole reply, and a body of %d bytes", first, len(row.body))
				}
			})
		})
	}
}

// A client that is refused before its body, keeps the connection, and leaves the body out, has its next request taken for it.
func TestARequestInPlaceOfABody(t *testing.T) {
	inPlay(t, Config{Plan: always(t, "[no-continue + 413 head]")}, func(p *play) {
		c := p.dial()
		c.say("POST /orders?op=op-00000001 HTTP/1.1\r\nHost: f\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n")
		c.hear()
		c.say(second)
		c.SetReadDeadline(time.Now().Add(time.Minute))
		if _, err := c.in.Peek(1); err == nil {
			t.Error("got an answer to a request that cannot be told from a body")
		}
		c.Close()
		if r := p.record(); len(r.Attempts) != 1 || r.Attempts[0].BodyBytes != int64(len(second)) || r.Attempts[0].BodyError == "" {
			t.Errorf("got %+v, want one attempt, with the second request as a part of its body", r.Attempts)
		}
	})
}

// What comes before its time cannot be given back: the connection is closed.
func TestPipelinedBehindASparedReply(t *testing.T) {
	inPlay(t, Config{Plan: always(t, "[surplus reply-body]")}, func(p *play) {
		c := p.dial()
		c.say("GET /v1/catalogue?op=op-00000001 HTTP/1.1\r\nHost: f\r\n\r\n" + second)
		c.hear()
		c.hear()
		if _, err := c.in.ReadByte(); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("got %v, want the connection's end", err)
		}
		c.Close()
	})
}

// A play that ends leaves nothing of a connection that was given back.
func TestCloseWithASparedConnection(t *testing.T) {
	inPlay(t, Config{Plan: always(t, "[surplus reply-body]")}, func(p *play) {
		c := p.dial()
		defer c.Close()
		c.say(second)
		c.hear()
		synctest.Wait()
		if err := p.fake.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
}

// The next request begins with its own first byte, and not with the rest of a body that came after the reply to the one before.
func TestFirstByteAfterALateBody(t *testing.T) {
	plan := always(t, "[no-continue + 413 head]")
	plan.Routes[0].Route = "POST /*"
	inPlay(t, Config{Plan: plan}, func(p *play) {
		c := p.dial()
		c.say("POST /orders?op=op-00000001 HTTP/1.1\r\nHost: f\r\nContent-Length: 4\r\n\r\n")
		c.hear()
		time.Sleep(time.Second)
		c.say("body")
		time.Sleep(time.Second)
		c.say(second)
		c.hear()
		c.Close()
		first, next := p.record().Attempts[0], p.record().Attempts[1]
		if got := first.BodyRead.Sub(beginning); got != time.Second {
			t.Errorf("got the body after %s, want 1s", got)
		}
		if got := next.FirstByte.Sub(beginning); got != 2*time.Second {
			t.Errorf("got the next request's first byte after %s, want 2s", got)
		}
	})
}
