package faults

import (
	"net/http"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func strikeWith(t *testing.T, text string, change func(x *exchange)) (x *exchange, step Step, took time.Duration) {
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
		step = f.Action.(Striker).Strike(x)
		took = time.Since(x.began)
	})
	return x, step, took
}

func TestStrikes(t *testing.T) {
	for _, row := range []struct {
		name, text string
		change     func(x *exchange)
		deeds      []string
		step       Step
		took       time.Duration
	}{
		{"delay goes on as if nothing had been", "delay 300ms", nil, []string{"wait 300ms"}, GoOn, 300 * time.Millisecond},
		{"delay ends with the play", "delay 300ms", func(x *exchange) { x.endless = false }, []string{"wait 300ms"}, Over, 0},
		{"hold", "hold", nil, []string{"hold"}, Over, 0},
		{"close", "close", nil, []string{"close"}, Over, 0},
		{"close on an idle connection", "close idle", nil, []string{"close"}, Over, 0},
		{"reset", "reset", nil, []string{"reset"}, Over, 0},
		{"interim, and then the reply", "interim 2s times=2", nil, []string{"wait 2s", "write", "wait 2s", "write"}, GoOn, 4 * time.Second},
		{"interim ends with the client", "interim 2s", func(x *exchange) { x.room = 1 }, []string{"wait 2s", "write", "wait 2s"}, Over, 4 * time.Second},
		{"interim ends with the play", "interim 2s", func(x *exchange) { x.endless = false }, []string{"wait 2s"}, Over, 0},
		{"no-continue goes on", "no-continue", nil, []string{"withhold"}, GoOn, 0},
		{"status is an answer", "503", nil, nil, Answer, 0},
		{"redirect is one too", "redirect 307 to=/there", nil, nil, Answer, 0},
		{"sever goes on without the client", "sever 300ms", nil, []string{"sever", "wait 300ms"}, GoOn, 300 * time.Millisecond},
		{"sever ends with the play", "sever 300ms", func(x *exchange) { x.endless = false }, []string{"sever", "wait 300ms"}, Over, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			x, step, took := strikeWith(t, row.text, row.change)
			if step != row.step || took != row.took || !slices.Equal(x.deeds, row.deeds) {
				t.Errorf("got  %v after %v, %q\nwant %v after %v, %q", step, took, x.deeds, row.step, row.took, row.deeds)
			}
		})
	}
}

func TestStatusReplies(t *testing.T) {
	for _, row := range []struct {
		name, text string
		change     func(x *exchange)
		want       Reply
	}{
		{"problem document", "503", nil, Reply{
			Status: 503, Header: http.Header{"Content-Type": {"application/problem+json"}},
			Body: []byte("{\"title\":\"Service Unavailable\",\"status\":503}\n"),
		}},
		{"a status without a name", "599", nil, Reply{
			Status: 599, Header: http.Header{"Content-Type": {"application/problem+json"}},
			Body: []byte("{\"title\":\"\",\"status\":599}\n"),
		}},
		{"hints, one of them a date", "429 retry-after=1 retry-after=date+3s body=busy", nil, Reply{
			Status: 429, Header: http.Header{"Retry-After": {"1", "Sat, 07 Mar 2026 14:05:12 GMT"}}, Body: []byte("busy"),
		}},
		{"headers of its own", `302 headers="location: /there" body=x`, nil, Reply{
			Status: 302, Header: http.Header{"Location": {"/there"}}, Body: []byte("x"),
		}},
		{"a moment in a header of its own", `429 headers="RateLimit-Reset: epoch+2s" body=x`, nil, Reply{
			Status: 429, Header: http.Header{"Ratelimit-Reset": {"1772892311"}}, Body: []byte("x"),
		}},
		{"redirect", "redirect 307 to=/there", nil, Reply{Status: 307, Header: http.Header{"Location": {"/there?operation=op-5f0c2a9d"}}}},
		{"redirect with a hint", "redirect 302 to=/there retry-after=2", nil, Reply{
			Status: 302, Header: http.Header{"Location": {"/there?operation=op-5f0c2a9d"}, "Retry-After": {"2"}},
		}},
		{"redirect to another origin", "redirect 308 to=/there origin=second", nil, Reply{
			Status: 308, Header: http.Header{"Location": {"http://127.0.0.2:41002/there?operation=op-5f0c2a9d"}},
		}},
		{"no body where none can be", "304", nil, Reply{Status: 304, Header: http.Header{}, Body: []byte{}}},
		{"to HEAD", "503", func(x *exchange) { x.reply.ToHead = true }, Reply{Status: 503, Header: http.Header{}, Body: []byte{}, ToHead: true}},
		{"a body of so many bytes", "503 bytes=3", nil, Reply{
			Status: 503, Header: http.Header{"Content-Type": {"application/octet-stream"}}, Body: []byte{0, 0, 0},
		}},
		{"no chunks", "200 body=x", chunked, Reply{Status: 200, Header: http.Header{}, Body: []byte("x")}},
	} {
		t.Run(row.name, func(t *testing.T) {
			x, _, _ := strikeWith(t, row.text, row.change)
			if !reflect.DeepEqual(x.reply, row.want) {
				t.Errorf("got  %+v %q\nwant %+v %q", x.reply, x.reply.Body, row.want, row.want.Body)
			}
		})
	}
}

func TestSavedKeepsTheError(t *testing.T) {
	x := sound()
	(&Saved{Code: 500}).Keep(&x.reply)
	want := Reply{
		Status: 500, Header: http.Header{"Content-Type": {"application/problem+json"}},
		Body: []byte("{\"title\":\"Internal Server Error\",\"status\":500}\n"),
	}
	if !reflect.DeepEqual(x.reply, want) {
		t.Errorf("got %+v, want %+v: nothing of the success, its Location least of all", x.reply, want)
	}
}

// What a client gets that asks for the bytes from 4 on, or for all of it.
func TestRangeReplies(t *testing.T) {
	part := func(x *exchange) {
		x.reply = Reply{
			Status: 206, Header: http.Header{"Etag": {`"e"`}, "Content-Range": {"bytes 4-7/8"}},
			Body: []byte("efgh"), Whole: []byte("abcdefgh"), Offset: 4,
		}
	}
	all := func(x *exchange) {
		x.reply = Reply{Status: 200, Header: http.Header{"Etag": {`"e"`}}, Body: []byte("Abc-1")}
	}
	for _, row := range []struct {
		name, text string
		change     func(x *exchange)
		want       Reply
	}{
		{"all in place of a part", "range ignored", part, Reply{Status: 200, Header: http.Header{"Etag": {`"e"`}}, Body: []byte("abcdefgh")}},
		{"another part", "range shifted", part, Reply{
			Status: 206, Header: http.Header{"Etag": {`"e"`}, "Content-Range": {"bytes 5-7/8"}}, Body: []byte("fgh"), Whole: []byte("abcdefgh"), Offset: 5,
		}},
		{"the part of something else", "range changed", part, Reply{
			Status: 206, Header: http.Header{"Etag": {`"another-e"`}, "Content-Range": {"bytes 4-7/8"}}, Body: []byte("rstu"), Whole: []byte("nopqrstu"), Offset: 4,
		}},
		{"all to whoever asks for it", "range ignored", all, Reply{Status: 200, Header: http.Header{"Etag": {`"e"`}}, Body: []byte("Abc-1")}},
		{"no part to whoever asks for all", "range shifted", all, Reply{Status: 200, Header: http.Header{"Etag": {`"e"`}}, Body: []byte("Abc-1")}},
		{"all of something else", "range changed", all, Reply{Status: 200, Header: http.Header{"Etag": {`"another-e"`}}, Body: []byte("Nop-1")}},
	} {
		t.Run(row.name, func(t *testing.T) {
			x, step, _ := strikeWith(t, row.text, row.change)
			if step != GoOn || !reflect.DeepEqual(x.reply, row.want) {
				t.Errorf("got  %v %+v %q\nwant %+v %q", step, x.reply, x.reply.Body, row.want, row.want.Body)
			}
		})
	}
}
