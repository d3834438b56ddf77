package wire

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brownout-dev/brownout/faults/clock"
)

// In virtual time every moment is known. The clock begins at 1 ms.
func TestTimes(t *testing.T) {
	handle := func(w http.ResponseWriter, r *http.Request, x *Request) {
		io.Copy(io.Discard, r.Body)
		<-time.After(100 * time.Millisecond)
		x.Replying()
		io.WriteString(w, "first")
		http.NewResponseController(w).Flush()
		<-time.After(100 * time.Millisecond)
		io.WriteString(w, "last")
		http.NewResponseController(w).Flush()
		x.Replied()
	}
	for _, row := range []struct {
		name, reason          string
		plan                  []string
		byte1, first, last    clock.Moment
		byte1b, firstb, last2 clock.Moment
	}{
		{"as it is", "the handler's own waits", nil, 1e6, 101e6, 201e6, 1201e6, 1301e6, 1401e6},
		{"latency down", "at the client's side of the toxics", []string{"latency 50ms"}, 1e6, 151e6, 251e6, 1251e6, 1401e6, 1501e6},
		{"latency up", "the first byte is read from the client at once", []string{"latency 50ms stream=upstream"}, 1e6, 151e6, 251e6, 1251e6, 1401e6, 1501e6},
	} {
		t.Run(row.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, n Network) {
				s, c := serve(t, n, handle, row.plan...), client(t, n)
				for range 2 {
					post(t, c, s.URL(), "body")
					pause(time.Second)
				}
				for i, want := range []Times{
					{FirstByte: row.byte1, ReplyFirst: row.first, ReplyLast: row.last},
					{FirstByte: row.byte1b, ReplyFirst: row.firstb, ReplyLast: row.last2},
				} {
					// The terminating chunk is written after Replied, at the same instant.
					if got := s.request(i).Times(); got != want {
						t.Errorf("%s: request %d: got %+v, want %+v", row.reason, i+1, got, want)
					}
				}
			})
		})
	}
}

// A client that reads late makes writes wait: each stamp is of the moment before a write, and of one that is not long before the bytes.
func TestTimesOfAReplyThatIsReadLate(t *testing.T) {
	for _, row := range []struct {
		name, reason string
		bytes        int
		last         clock.Moment
	}{
		{"two buffers full", "the second write begins at once, and then waits", 2 * MemoryBuffer, 1e6},
		{"three", "the third begins when the client reads", 3 * MemoryBuffer, 1001e6},
	} {
		t.Run(row.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, n Network) {
				l := listenFor(t, n, onConnections(t))
				client, server := connect(t, n, l)
				x := server.Begin()
				x.Replying()
				go func() {
					server.Write(make([]byte, row.bytes))
					server.Shut()
				}()
				pause(time.Second)
				arrival(client)
				if got := x.Times(); got.ReplyFirst != 1e6 || got.ReplyLast != row.last {
					t.Errorf("%s: got %+v, want from %v to %v", row.reason, got, clock.Moment(1e6), row.last)
				}
			})
		})
	}
}

// Interim replies are no part of the final one, even where toxics hold both up.
func TestInterimReplies(t *testing.T) {
	for _, row := range []struct {
		name  string
		plan  []string
		reply clock.Moment
	}{
		{"as it is", nil, 1001e6},
		{"through latency", []string{"latency 2s"}, 3001e6},
	} {
		t.Run(row.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, n Network) {
				s := serve(t, n, func(w http.ResponseWriter, r *http.Request, x *Request) {
					w.WriteHeader(http.StatusEarlyHints)
					<-time.After(time.Second)
					x.Replying()
					io.WriteString(w, "final")
				}, row.plan...)
				hints := 0
				trace := &httptrace.ClientTrace{Got1xxResponse: func(int, textproto.MIMEHeader) error { hints++; return nil }}
				r, _ := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), "GET", s.URL(), nil)
				reply, err := client(t, n).Do(r)
				if err != nil {
					t.Fatal(err)
				}
				reply.Body.Close()
				got := s.request(0).Times()
				if hints != 1 || got.ReplyFirst != row.reply || got.ReplyLast != row.reply {
					t.Errorf("%d hints, then %+v; want 1, and a reply at %v", hints, got, row.reply)
				}
			})
		})
	}
}

// What follows a reply that is complete, such as an unasked 408, is not stamped as a part of it.
func TestBytesAfterTheReply(t *testing.T) {
	for _, plan := range [][]string{nil, {"latency 10ms"}} {
		inMemory(t, func(t *testing.T, n Network) {
			l := listenFor(t, n, onConnections(t, plan...))
			client, server := connect(t, n, l)
			x := server.Begin()
			x.Replying()
			io.WriteString(server, "reply")
			x.Replied()
			io.ReadFull(client, make([]byte, 5))
			want := x.Times()
			pause(time.Second)
			io.WriteString(server, "HTTP/1.1 408")
			io.ReadFull(client, make([]byte, 12))
			if got := x.Times(); got != want || !got.ReplyLast.Happened() {
				t.Errorf("%v: got %+v, want it unchanged, %+v", plan, got, want)
			}
		})
	}
}

// A body is no first byte of the next request, however it is spread over reads and interim replies.
func TestFirstByteIsTheHeads(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		s := serve(t, n, echo)
		c := dial(t, n, s.Addr())
		replies := bufio.NewReader(c)
		for range 2 {
			io.WriteString(c, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
			if r, err := http.ReadResponse(replies, nil); err != nil || r.StatusCode != 100 {
				t.Fatalf("got %v, %v, want 100", r, err)
			}
			pause(time.Second)
			io.WriteString(c, "h")
			pause(time.Second)
			io.WriteString(c, "i")
			r, err := http.ReadResponse(replies, nil)
			if err != nil {
				t.Fatal(err)
			}
			io.ReadAll(r.Body)
			pause(time.Second)
		}
		for i, want := range []clock.Moment{1e6, 3001e6} {
			if got := s.request(i).Times().FirstByte; got != want {
				t.Errorf("request %d: first byte at %v, want %v", i+1, got, want)
			}
		}
	})
}

// A head that comes in pieces begins with the first of them.
func TestFirstByteOfASlowHead(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		s := serve(t, n, echo)
		c := dial(t, n, s.Addr())
		replies := bufio.NewReader(c)
		for i, want := range []clock.Moment{1e6, 2001e6} {
			io.WriteString(c, "GET / HTTP/1.1\r\n")
			pause(time.Second)
			io.WriteString(c, "Host: a\r\n\r\n")
			if _, err := http.ReadResponse(replies, nil); err != nil {
				t.Fatal(err)
			}
			if got := s.request(i).Times().FirstByte; got != want {
				t.Errorf("request %d: first byte at %v, want %v", i+1, got, want)
			}
			pause(time.Second)
		}
	})
}

// Two requests in one write: the second came with the first, and never before the reply that its own reading followed.
func TestPipelinedRequests(t *testing.T) {
	inMemory(t, func(t *testing.T, n Network) {
		s := serve(t, n, func(w http.ResponseWriter, r *http.Request, x *Request) {
			<-time.After(time.Second)
			echo(w, r, x)
		})
		c := dial(t, n, s.Addr())
		get := "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
		io.WriteString(c, get+get)
		replies := bufio.NewReader(c)
		for range 2 {
			if _, err := http.ReadResponse(replies, nil); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range []Times{
			{FirstByte: 1e6, ReplyFirst: 1001e6, ReplyLast: 1001e6},
			{FirstByte: 1e6, ReplyFirst: 2001e6, ReplyLast: 2001e6},
		} {
			if got := s.request(i).Times(); got != want {
				t.Errorf("request %d: got %+v, want %+v", i+1, got, want)
			}
		}
	})
}

// A client that gives up is seen at once, also through toxics that hold its bytes up, and only its last request says so.
func TestGone(t *testing.T) {
	for _, plan := range [][]string{nil, {"latency 10s stream=upstream"}, {"latency 1s"}} {
		inMemory(t, func(t *testing.T, n Network) {
			s := serve(t, n, func(w http.ResponseWriter, r *http.Request, x *Request) {
				if r.URL.Path == "/hold" {
					<-Of(r.Context()).Gone()
					return
				}
				echo(w, r, x)
			}, plan...)
			c := client(t, n)
			post(t, c, s.URL(), "")
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			r, _ := http.NewRequestWithContext(ctx, "GET", s.URL()+"/hold", nil)
			start := s.clock.Now()
			if _, err := c.Do(r); err == nil {
				t.Fatal("a held request was answered")
			}
			synctest.Wait()
			if got := s.request(0).Times().Gone; got.Happened() {
				t.Errorf("%v: the answered request says gone at %v", plan, got)
			}
			if got, want := s.request(1).Times().Gone, start.Add(10*time.Second); got != want {
				t.Errorf("%v: the held request says gone at %v, want %v", plan, got, want)
			}
		})
	}
}

// What the fake ends itself is no client's going.
func TestGoneIsNotOurOwnEnd(t *testing.T) {
	onEveryWay(t, func(t *testing.T, n Network, l *Listener) {
		client, server := connect(t, n, l)
		x := server.Begin()
		server.Shut()
		arrival(client)
		client.Close()
		<-server.Gone() // closed all the same: nobody is there any more
		if got := x.Times().Gone; got.Happened() {
			t.Errorf("gone at %v, want never", got)
		}
	})
}
