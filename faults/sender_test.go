package faults

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// send carries out the one fault of a text on a sound reply of 14 bytes, or one that change has changed.
func send(t *testing.T, text string, change func(x *exchange)) (x *exchange, whole bool, err error) {
	t.Helper()
	f, ok, err := Parse(text)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	synctest.Test(t, func(t *testing.T) {
		x = sound()
		if change != nil {
			change(x)
		}
		whole, err = f.Action.(Sender).Send(f.At, x, x)
	})
	return x, whole, err
}

// read takes what was sent as net/http's client does, the connection being closed after it.
func read(sent string) (head *http.Response, body string, err error) {
	head, err = http.ReadResponse(bufio.NewReader(strings.NewReader(sent)), nil)
	if err != nil {
		return nil, "", err
	}
	b, err := io.ReadAll(head.Body)
	return head, string(b), err
}

const head14 = "HTTP/1.1 201 Created\r\n" +
	"Connection: close\r\n" +
	"Content-Length: 14\r\n" +
	"Content-Type: application/json\r\n" +
	"Date: Sat, 07 Mar 2026 14:05:09 GMT\r\n" +
	"\r\n"

const headChunked = "HTTP/1.1 201 Created\r\n" +
	"Connection: close\r\n" +
	"Content-Type: application/json\r\n" +
	"Date: Sat, 07 Mar 2026 14:05:09 GMT\r\n" +
	"Transfer-Encoding: chunked\r\n" +
	"\r\n"

const unasked200 = "HTTP/1.1 200 OK\r\n" +
	"Connection: close\r\n" +
	"Content-Length: 67\r\n" +
	"Content-Type: application/json\r\n" +
	"Date: Sat, 07 Mar 2026 14:05:09 GMT\r\n" +
	"\r\n" +
	`{"title":"OK","status":200,"detail":"nobody asked for this reply"}` + "\n"

const unasked408 = "HTTP/1.1 408 Request Timeout\r\n" +
	"Connection: close\r\n" +
	"Content-Length: 80\r\n" +
	"Content-Type: application/json\r\n" +
	"Date: Sat, 07 Mar 2026 14:05:09 GMT\r\n" +
	"\r\n" +
	`{"title":"Request Timeout","status":408,"detail":"nobody asked for this reply"}` + "\n"

// opened is a head that leaves the connection open.
func opened(head string) string { return strings.Replace(head, "Connection: close\r\n", "", 1) }

func chunked(x *exchange)   { x.reply.Chunked = true }
func noBytes(x *exchange)   { x.reply.Body = nil }
func ofNothing(x *exchange) { x.reply.Body, x.reply.Chunked = nil, true }

// What goes over the wire, to the byte.
func TestSentBytes(t *testing.T) {
	for _, row := range []struct {
		name, text string
		change     func(x *exchange)
		want       string
	}{
		{"truncate: half of the body", "truncate", nil, head14 + `{"id":`},
		{"truncate: some of it", "truncate 3", nil, head14 + `{"i`},
		{"truncate: none of it", "truncate 0", nil, head14},
		{"truncate: never all of it", "truncate 14", nil, head14 + `{"id":"pay-1"`},
		{"truncate: more than there is", "truncate 1000", nil, head14 + `{"id":"pay-1"`},
		{"truncate: by reset", "truncate 3 end=reset", nil, head14 + `{"i`},
		{"truncate: an empty body is declared one byte long", "truncate", noBytes, strings.Replace(head14, "14\r\n", "1\r\n", 1)},
		{"truncate: a reply of chunks", "truncate 3", chunked, headChunked + "3\r\n{\"i\r\n"},
		{"truncate: into chunks", "truncate 3 chunked=true", nil, headChunked + "3\r\n{\"i\r\n"},
		{"truncate: all chunks but the last", "truncate 1000 chunked=true", nil, headChunked + "e\r\n{\"id\":\"pay-1\"}\r\n"},
		{"truncate: no chunk", "truncate 0 chunked=true", nil, headChunked},
		{"truncate: chunks of nothing", "truncate", ofNothing, headChunked},
		{"truncate: head", "truncate 12 reply-head", nil, "HTTP/1.1 201"},
		{"truncate: half of the head", "truncate reply-head", nil, head14[:(len(head14)-1)/2]},
		{"truncate: never all of the head", "truncate 1000 reply-head", nil, strings.TrimSuffix(head14, "\n")},

		{"stall: half of the body", "stall", nil, head14 + `{"id":`},
		{"stall: after the head", "stall 0", nil, head14},
		{"stall: a reply of chunks", "stall 3", chunked, headChunked + "3\r\n{\"i\r\n"},
		{"stall: inside the head", "stall 12 reply-head", nil, "HTTP/1.1 201"},

		{"drip: body", "drip 1s", nil, head14 + `{"id":"pay-1"}`},
		{"drip: head", "drip 1s reply-head", nil, head14 + `{"id":"pay-1"}`},
		{"drip: chunks", "drip 1s", chunked, headChunked + "e\r\n{\"id\":\"pay-1\"}\r\n0\r\n\r\n"},
		{"drip: chunks of nothing", "drip 1s", ofNothing, headChunked + "0\r\n\r\n"},
		{"drip: the head of a reply to HEAD", "drip 1s reply-head", func(x *exchange) { x.reply.ToHead = true }, head14},
		{"drip: the head of a 304 gives no length", "drip 1s reply-head", func(x *exchange) { x.reply = Reply{Status: 304} },
			"HTTP/1.1 304 Not Modified\r\nConnection: close\r\nDate: Sat, 07 Mar 2026 14:05:09 GMT\r\n\r\n"},
		{"drip: the head of a 204", "drip 1s reply-head", func(x *exchange) { x.reply = Reply{Status: 204} },
			"HTTP/1.1 204 No Content\r\nConnection: close\r\nDate: Sat, 07 Mar 2026 14:05:09 GMT\r\n\r\n"},

		{"last-chunk: none of it", "last-chunk", nil, headChunked + "e\r\n{\"id\":\"pay-1\"}\r\n"},
		{"last-chunk: without its last line", "last-chunk 3", nil, headChunked + "e\r\n{\"id\":\"pay-1\"}\r\n0\r\n"},
		{"last-chunk: late, of a reply that leaves the connection open", "last-chunk 4 pause=50ms", nil, opened(headChunked) + "e\r\n{\"id\":\"pay-1\"}\r\n0\r\n\r\n"},
		{"unclosed", "unclosed", nil, head14 + `{"id":"pay-1"}`},
		{"surplus: of an idle connection", "surplus", nil, opened(unasked200)},
		{"surplus: before the end of an idle connection", "surplus 408 close=true", nil, unasked408},
		{"surplus: behind the reply", "surplus reply-body", nil, opened(head14) + `{"id":"pay-1"}` + opened(unasked200)},
		{"conflict: the short length first", "conflict short-and-long", nil,
			strings.Replace(opened(head14), "14\r\n", "14\r\nContent-Length: 189\r\n", 1) + `{"id":"pay-1"}` + opened(unasked200)},
		{"conflict: the long length first", "conflict long-and-short", nil,
			strings.Replace(opened(head14), "14\r\n", "189\r\nContent-Length: 14\r\n", 1) + `{"id":"pay-1"}` + opened(unasked200)},
		{"conflict: chunks", "conflict chunks-and-length", nil,
			strings.Replace(opened(headChunked), "Content-Type", "Content-Length: 14\r\nContent-Type", 1) + "e\r\n{\"id\":\"pay-1\"}\r\n0\r\n\r\n"},

		{"garbage: a TLS alert", "garbage", nil, "\x15\x03\x01\x00\x02\x02\x0a"},
		{"garbage: of the plan's own", `garbage "\x00\xff hello"`, nil, "\x00\xff hello"},

		{"framing is ours, whatever the reply's header says", "truncate 0", func(x *exchange) {
			x.reply.Header = http.Header{"Content-Length": {"99"}, "Transfer-Encoding": {"gzip"}, "Connection": {"keep-alive"}, "Content-Type": {"application/json"}}
		}, head14},
		{"a date of the reply's own stays", "truncate 0", func(x *exchange) { x.reply.Header.Set("Date", "soon") },
			strings.Replace(head14, "Sat, 07 Mar 2026 14:05:09 GMT", "soon", 1)},
		{"no value can break out of its field", "truncate 0", func(x *exchange) { x.reply.Header.Set("Content-Type", "a\r\nX: b") },
			strings.Replace(head14, "application/json", "a  X: b", 1)},
	} {
		t.Run(row.name, func(t *testing.T) {
			x, _, err := send(t, row.text, row.change)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(x.writes, ""); got != row.want {
				t.Errorf("got  %q\nwant %q", got, row.want)
			}
		})
	}
}

// What net/http's client makes of it: a reply that is not whole is an error, a slow one is whole.
func TestReceivedReplies(t *testing.T) {
	const all = `{"id":"pay-1"}`
	for _, row := range []struct {
		name, text string
		change     func(x *exchange)
		whole      bool
		body, err  string
	}{
		{"truncate", "truncate", nil, false, `{"id":`, "unexpected EOF"},
		{"truncate the last byte", "truncate 14", nil, false, `{"id":"pay-1"`, "unexpected EOF"},
		{"truncate an empty body", "truncate", noBytes, false, "", "unexpected EOF"},
		{"truncate chunks", "truncate", chunked, false, `{"id":"`, "unexpected EOF"},
		{"truncate the last chunk alone", "truncate 14 chunked=true", nil, false, all, "unexpected EOF"},
		{"truncate chunks of nothing", "truncate", ofNothing, false, "", "unexpected EOF"},
		{"truncate the status line", "truncate 12 reply-head", nil, false, "", "unexpected EOF"},
		{"truncate the head", "truncate reply-head", nil, false, "", `malformed MIME header: missing colon: "Cont"`},
		{"truncate the head's last byte", "truncate 1000 reply-head", nil, false, "", `malformed MIME header: missing colon: "\r"`},
		{"stall", "stall", nil, false, `{"id":`, "unexpected EOF"},
		{"stall in the head", "stall reply-head", nil, false, "", `malformed MIME header: missing colon: "Cont"`},
		{"no last chunk", "last-chunk", nil, false, all, "unexpected EOF"},
		{"half of the last chunk's end", "last-chunk 3", nil, false, all, "http: unexpected EOF reading trailer"},
		{"a last chunk in two segments", "last-chunk 1 pause=50ms", nil, true, all, "<nil>"},
		{"surplus", "surplus reply-body", nil, true, all, "<nil>"},
		{"unclosed", "unclosed", nil, true, all, "<nil>"},
		{"two lengths", "conflict short-and-long", nil, true, "", `http: message cannot contain multiple Content-Length headers; got ["14" "189"]`},
		{"chunks and a length", "conflict chunks-and-length", nil, true, all, "<nil>"},
		{"drip what is compressed", "drip 1s gzip=true bytes=7", nil, true, gzipped(all), "<nil>"},
		{"garbage", "garbage", nil, false, "", `malformed HTTP response "\x15\x03\x01\x00\x02\x02"`},
		{"drip the body", "drip 1s", nil, true, all, "<nil>"},
		{"drip the body by more than there is", "drip 1s bytes=1000", nil, true, all, "<nil>"},
		{"drip chunks", "drip 1s bytes=2", chunked, true, all, "<nil>"},
		{"drip the head", "drip 1s bytes=7 reply-head", nil, true, all, "<nil>"},
	} {
		t.Run(row.name, func(t *testing.T) {
			x, whole, err := send(t, row.text, row.change)
			if whole != row.whole || err != nil {
				t.Errorf("got whole = %v, %v, want %v and no error", whole, err, row.whole)
			}
			_, body, err := read(strings.Join(x.writes, ""))
			if got := text(err); body != row.body || got != row.err {
				t.Errorf("got  %q, %s\nwant %q, %s", body, got, row.body, row.err)
			}
		})
	}
}

func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func text(err error) string {
	if err == nil {
		return "<nil>"
	}
	return err.Error()
}

// What a sender does to its connection besides writing, in order.
func TestSendersDeeds(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []string
	}{
		{"truncate leaves the FIN to the fake", "truncate", []string{"write"}},
		{"truncate by reset", "truncate end=reset", []string{"write", "reset"}},
		{"stall", "stall", []string{"write", "hold"}},
		{"garbage leaves the FIN to the fake", "garbage", []string{"write"}},
		{"last-chunk leaves the FIN to the fake", "last-chunk 3", []string{"write"}},
		{"last-chunk in two segments", "last-chunk 3 pause=50ms", []string{"write", "wait 50ms", "write"}},
		{"surplus in the reply's own segment", "surplus reply-body", []string{"write"}},
		{"surplus after a while", "surplus after=100ms reply-body", []string{"write", "wait 100ms", "write"}},
		{"conflict at once", "conflict long-and-short", []string{"write"}},
		{"drip the body: the head comes at once", "drip 2s bytes=10", []string{"write", "wait 2s", "write", "wait 2s", "write"}},
		{"drip the head: the body follows at once", "drip 2s bytes=100 reply-head", []string{"wait 2s", "write", "wait 2s", "write", "write"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			if x, _, _ := send(t, row.text, nil); !slices.Equal(x.deeds, row.want) {
				t.Errorf("got %q, want %q", x.deeds, row.want)
			}
		})
	}
}

func TestDripTimes(t *testing.T) {
	x, _, _ := send(t, "drip 100ms bytes=5", nil)
	want := []time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond}
	if !slices.Equal(x.at, want) || !slices.Equal(x.writes[1:], []string{`{"id"`, `:"pay`, `-1"}`}) {
		t.Errorf("got %v %q, want %v, five bytes each", x.at, x.writes[1:], want)
	}
}

// A client that goes away ends every sender at once, with its error; so does the end of the play, without one.
func TestSendersGiveUp(t *testing.T) {
	for _, row := range []struct {
		text string
		room int
	}{
		{"truncate", 0}, {"truncate end=reset", 0}, {"stall", 0}, {"garbage", 0},
		{"last-chunk", 0}, {"last-chunk pause=1s", 1}, {"surplus", 0}, {"conflict chunks-and-length", 0}, {"conflict short-and-long", 0}, {"unclosed", 0},
		{"drip 1s", 0}, {"drip 1s", 1}, {"drip 1s", 3}, {"drip 1s reply-head", 5}, {"drip 1s bytes=1000 reply-head", 1},
	} {
		t.Run(row.text, func(t *testing.T) {
			x, whole, err := send(t, row.text, func(x *exchange) { x.room = row.room })
			if whole || !errors.Is(err, errGone) || len(x.writes) != row.room {
				t.Errorf("got whole = %v, %v after %d writes, want %v after %d", whole, err, len(x.writes), errGone, row.room)
			}
			if slices.Contains(x.deeds, "reset") || slices.Contains(x.deeds, "hold") {
				t.Errorf("got %q, want nothing done to a client that is gone", x.deeds)
			}
		})
	}
	x, whole, err := send(t, "drip 1s", func(x *exchange) { x.endless = false })
	if want := []string{"write", "wait 1s"}; whole || err != nil || !slices.Equal(x.deeds, want) {
		t.Errorf("got whole = %v, %v, %q, want %q and no more when the play ends", whole, err, x.deeds, want)
	}
}

// The reply is shared with the fake's saved results, so a sender only reads it.
func TestSendersLeaveTheReply(t *testing.T) {
	for _, text := range []string{"truncate chunked=true", "truncate reply-head", "stall", "drip 1s", "drip 1s gzip=true", "last-chunk", "surplus reply-body", "conflict long-and-short", "conflict chunks-and-length", "unclosed", "garbage"} {
		x, _, _ := send(t, text, func(x *exchange) { x.reply.Body = append(make([]byte, 0, 100), x.reply.Body...) })
		want := sound().reply
		if x.reply.Chunked || string(x.reply.Body) != string(want.Body) || len(x.reply.Header) != 1 ||
			strings.Trim(string(x.reply.Body[:100][len(want.Body):]), "\x00") != "" {
			t.Errorf("%s: got %+v, want %+v", text, x.reply, want)
		}
	}
}
