package fakes

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/brownout-dev/brownout/fakes/journal"
	"github.com/brownout-dev/brownout/faults/clock"
	"github.com/brownout-dev/brownout/faults/wire"
)

// hang is how long a test on the real network waits for what takes milliseconds, before it says that it hangs.
const hang = time.Minute

// onTCP is a fake on loopback TCP with a client of at most conns connections; both are closed at the end of the test.
func onTCP(t *testing.T, c Config, conns int) *play {
	t.Helper()
	c.Clock = clock.Start()
	fake, err := Start(wire.TCP{}, "127.0.0.1:0", c)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{MaxConnsPerHost: conns, MaxIdleConnsPerHost: conns}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := fake.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &play{T: t, fake: fake, client: &http.Client{Transport: transport, Timeout: hang}}
}

func TestFiveThousandAtOnceWithOneKey(t *testing.T) {
	const requests, conns = 5000, 400
	p := onTCP(t, Config{Plan: always(t, `[delay 200ms, ok]`)}, conns)
	saw := make([]string, requests)
	var all sync.WaitGroup
	for i := range requests {
		all.Go(func() { saw[i] = p.pay("op-00000001", "k", `{"amount":1}`).saw() })
	}
	all.Wait()
	counts := map[string]int{}
	for _, s := range saw {
		counts[s]++
	}
	if counts["201"] != 1 || counts["201"]+counts["409"]+counts["201 replayed"] != requests {
		t.Errorf("got %v, want 201 once, and else 409 or the replay", counts)
	}
	r := p.fake.Record()
	if len(r.Effects) != 1 || len(r.Attempts) != requests {
		t.Errorf("got %d effects of %d attempts, want 1 of %d", len(r.Effects), len(r.Attempts), requests)
	}
	t.Log(counts)
}

// A client that comes again as soon as it sees the end of an attempt must not be told that this attempt is still running.
func TestNoConflictWithOneselfOnTCP(t *testing.T) {
	const times = 100
	for _, script := range []string{`{steps: [reset before-commit], repeat: true}`, `{steps: [close before-commit], repeat: true}`, `{steps: [503], repeat: true}`} {
		t.Run(script, func(t *testing.T) {
			p := onTCP(t, Config{Plan: always(t, script)}, 1)
			for range times {
				p.pay("op-00000001", "k", "{}")
			}
			counts := map[int]int{}
			for _, a := range p.fake.Record().Attempts {
				counts[a.Status]++
			}
			if counts[http.StatusConflict]+counts[http.StatusCreated] > 0 {
				t.Errorf("got %v, want the planned fault each time", counts)
			}
		})
	}
}

// What a client sees of each end is the same on the real network as in memory.
func TestEndsOnTCP(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, row := range []struct {
		script, body, saw string
		effects           int
	}{
		{`[reset after-commit]`, "", "reset", 1},
		{`[close after-commit]`, "", "end of file", 1},
		{`[close after-commit]`, long, "end of file", 1},
		{`[503 head]`, long, "503", 0},
		{`[truncate]`, "", "201 cut short", 1},
		{`[{fault: truncate, end: reset}]`, "", "reset", 1},
		{`[garbage]`, "", "malformed", 1},
		{`[{fault: drip, bytes: 20, every: 1ms}]`, "", "201", 1},
		{`[close idle]`, "", "201", 1},
		{`[reset idle]`, "", "201", 1},
	} {
		t.Run(row.script, func(t *testing.T) {
			p := onTCP(t, Config{Plan: always(t, row.script)}, 1)
			if got := p.send(context.Background(), http.MethodPost, "/nokeys/orders?op=op-00000001", row.body).saw(); got != row.saw {
				t.Errorf("got %s, want %s", got, row.saw)
			}
			if got := len(p.fake.Record().Effects); got != row.effects {
				t.Errorf("got %d effects, want %d", got, row.effects)
			}
		})
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	const held = 100
	before := stacks()
	p := onTCP(t, Config{Plan: always(t, `{steps: [hold, hold head, hold after-commit, stall, "delay 1h"], repeat: true}`)}, held)
	var all sync.WaitGroup
	for range held {
		all.Go(func() { p.send(context.Background(), http.MethodPost, "/nokeys/x?op=op-00000001", "body") })
	}
	p.await(held)
	if err := p.fake.Close(); err != nil {
		t.Error(err)
	}
	all.Wait()
	for _, a := range p.fake.Record().Attempts {
		if !a.Cut.Happened() {
			t.Errorf("attempt %d has no end: %s", a.Number, came(a))
		}
	}
	if _, err := net.Dial("tcp", strings.TrimPrefix(p.fake.URL(), "http://")); err == nil {
		t.Error("the port is still open")
	}
	p.client.CloseIdleConnections()
	for until := time.Now().Add(hang); stacks() > before; runtime.Gosched() {
		if time.Now().After(until) {
			t.Fatalf("got %d goroutines of the fake, want %d:\n%s", stacks(), before, allStacks())
		}
	}
}

// await waits for so many attempts to arrive.
func (p *play) await(attempts int) {
	for until := time.Now().Add(hang); len(p.fake.Record().Attempts) < attempts; runtime.Gosched() {
		if time.Now().After(until) {
			p.Errorf("got %d attempts, want %d", len(p.fake.Record().Attempts), attempts)
			return
		}
	}
}

// rest is the journal when all attempts are over.
func (p *play) rest() (r journal.Record) {
	open := func(a journal.Attempt) bool { return !a.Answered().Happened() }
	for until := time.Now().Add(hang); ; runtime.Gosched() {
		if r = p.fake.Record(); !slices.ContainsFunc(r.Attempts, open) || time.Now().After(until) {
			return r
		}
	}
}

// stacks counts the goroutines that have to do with a fake or its server.
func stacks() (n int) {
	for _, s := range bytes.Split(allStacks(), []byte("\n\n")) {
		if bytes.Contains(s, []byte("brownout/fakes.(")) || bytes.Contains(s, []byte("brownout/faults/")) || bytes.Contains(s, []byte("net/http.(*conn)")) {
			n++
		}
	}
	return n
}

func allStacks() []byte {
	buffer := make([]byte, 4<<20)
	return buffer[:runtime.Stack(buffer, true)]
}

// raw sends bytes as they are and reads what comes back, to the end of the connection.
func (p *play) raw(text string, then func(*play, *net.TCPConn)) (reply string) {
	p.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(p.fake.URL(), "http://"))
	if err != nil {
		p.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(hang)); err != nil {
		p.Fatal(err)
	}
	written := make(chan struct{})
	go func() {
		defer close(written)
		io.WriteString(c, text) // the fake may have enough before it has all
		then(p, c.(*net.TCPConn))
	}()
	got, err := io.ReadAll(c)
	if err != nil {
		got = append(got, " ("+err.Error()+")"...)
	}
	<-written
	return string(got)
}

func TestHostileRequests(t *testing.T) {
	open := func(*play, *net.TCPConn) {}
	halfClose := func(_ *play, c *net.TCPConn) { c.CloseWrite() }
	reset := func(p *play, c *net.TCPConn) { p.await(1); c.SetLinger(0); c.Close() }
	head := "POST /nokeys/orders?op=op-00000001 HTTP/1.1\r\nHost: fake\r\n"
	for _, row := range []struct {
		name, text string
		then       func(*play, *net.TCPConn)
		reply      string // how it begins
		attempts   int
		bodyError  string
		bodyBytes  int64
		declared   int64
	}{
		{"body shorter than declared, then FIN", head + "Content-Length: 100\r\n\r\nshort", halfClose, "HTTP/1.1 400", 1, "unexpected EOF", 5, 100},
		{"body shorter than declared, then RST", head + "Content-Length: 100\r\n\r\nshort", reset, "", 1, "connection reset by peer", 5, 100},
		{"bad chunk length", head + "Transfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\nzz\r\nbad\r\n", open, "HTTP/1.1 400", 1, "invalid byte in chunk length", 5, -1},
		{"chunks without an end", head + "Transfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n", halfClose, "HTTP/1.1 400", 1, "unexpected EOF", 5, -1},
		{"body longer than is taken", head + "Content-Length: 67108865\r\n\r\n" + strings.Repeat("x", MaxBody+1), open, "HTTP/1.1 413", 1, "body is longer than 67108864 bytes", MaxBody + 1, MaxBody + 1},
		{"huge header field", head + "X-Huge: " + strings.Repeat("x", 512<<10) + "\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", open, "HTTP/1.1 201", 1, "", 2, 2},
		{"head longer than is taken", head + "X-Huge: " + strings.Repeat("x", MaxHead+8<<10) + "\r\n\r\n", open, "HTTP/1.1 431", 0, "", 0, 0},
		{"no HTTP", "\x16\x03\x01 hello\r\n\r\n", open, "HTTP/1.1 400", 0, "", 0, 0},
		{"head without an end", head, halfClose, "HTTP/1.1 400", 0, "", 0, 0},
		{"nothing", "", halfClose, "", 0, "", 0, 0},
		{"two lengths", head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", open, "HTTP/1.1 400", 0, "", 0, 0},
		{"odd method and target", "BREW *x HTTP/1.1\r\nHost: fake\r\n\r\n", open, "HTTP/1.1 400", 0, "", 0, 0},
		{"dots and slashes in the path are left alone", "GET //a/../%2e%2e//b?op=op-00000001 HTTP/1.1\r\nHost: fake\r\nConnection: close\r\n\r\n", open, "HTTP/1.1 200", 1, "", 0, -1},
		{"asterisk", "OPTIONS * HTTP/1.1\r\nHost: fake\r\nConnection: close\r\n\r\n", open, "HTTP/1.1 200", 1, "", 0, -1},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := onTCP(t, Config{}, 1)
			if got := p.raw(row.text, row.then); !strings.HasPrefix(got, row.reply) {
				t.Errorf("got %.200q, want it to begin with %q", got, row.reply)
			}
			p.await(row.attempts)
			r := p.rest()
			if got := len(r.Attempts); got != row.attempts || len(r.Effects) > 0 && row.bodyError != "" {
				t.Fatalf("got %d attempts and %d effects, want %d attempts", got, len(r.Effects), row.attempts)
			}
			if len(r.Connections) != 1 || r.Connections[0].Requests != row.attempts {
				t.Errorf("got connections %+v, want one with %d requests", r.Connections, row.attempts)
			}
			for _, a := range r.Attempts {
				if !strings.Contains(a.BodyError, row.bodyError) || (a.BodyError == "") != (row.bodyError == "") {
					t.Errorf("got body error %q, want %q", a.BodyError, row.bodyError)
				}
				if a.BodyBytes != row.bodyBytes || a.DeclaredLength != row.declared {
					t.Errorf("got %d bytes of %d, want %d of %d", a.BodyBytes, a.DeclaredLength, row.bodyBytes, row.declared)
				}
			}
		})
	}
}

// On a real network too a redirect leads to another host where the system has one, and to another port of the same where it has not.
func TestRedirectToTheSecondOriginOnTCP(t *testing.T) {
	p := onTCP(t, Config{Plan: always(t, `[redirect 307 to=/v1/other origin=second, ok]`), Origins: 2}, 1)
	if got := p.send(context.Background(), http.MethodPost, "/orders?op=op-00000001", "{}").saw(); got != "201" {
		t.Errorf("got %s, want 201", got)
	}
	if r := p.fake.Record(); len(r.Attempts) != 2 || r.Attempts[1].Origin != 1 {
		t.Errorf("got attempts %+v, want the second at the second origin", r.Attempts)
	}
}
